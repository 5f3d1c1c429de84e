// Links to a view: `#clip=Run&frame=42&problem=1f2e3d4c&camera=…`, with `up=z` if that axis points up.

/** What the address asks for. */
export function read(hash) {
  const query = new URLSearchParams(hash.replace(/^#/, ""));
  const asked = {};
  if (query.has("clip")) asked.clip = query.get("clip");
  if (query.has("problem")) asked.problem = query.get("problem");
  const frame = Number(query.get("frame") ?? NaN);
  if (Number.isInteger(frame) && frame >= 0) asked.frame = frame;
  const camera = (query.get("camera") ?? "").split(",").map(Number);
  if (camera.length === 6 && camera.every(Number.isFinite)) asked.camera = camera;
  asked.isZUp = query.get("up") === "z";
  return asked;
}

/** The address of a view. */
export function write({ clip, frame, problem, camera, isZUp }) {
  const query = new URLSearchParams();
  query.set("clip", clip);
  query.set("frame", frame);
  if (problem) query.set("problem", problem);
  if (camera) query.set("camera", camera.join(","));
  if (isZUp) query.set("up", "z");
  return `#${query}`;
}

/** Puts a text on the clipboard; false if the browser does not allow it. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "aside";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
