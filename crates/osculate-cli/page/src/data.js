// Reads what the command has put into the page: compressed blocks in <template> elements.
//
// Everything is little-endian. A block is zlib data as base64.

/** The bytes of a block; null if there is none with this name. */
export async function block(name) {
  const template = document.getElementById(name);
  if (!template) return null;
  const text = atob(template.content.textContent.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** The description of everything else. */
export async function facts() {
  const bytes = await block("facts");
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}

/** The triangles of a file, the part of each, and the parents of joints. */
export async function surface(file) {
  const bytes = await block(`surface-${file}`);
  const [nVertices, nTriangles, nJoints] = new Uint32Array(bytes, 0, 3);
  let at = 12;
  const take = (kind, n) => {
    const array = new kind(bytes, at, n);
    at += 4 * n;
    return array;
  };
  const faces = take(Uint32Array, 3 * nTriangles);
  // Corners are stored as differences to the corner before.
  for (let i = 1; i < faces.length; i++) faces[i] = faces[i - 1] + ((faces[i] >>> 1) ^ -(faces[i] & 1));
  const parts = take(Uint32Array, nTriangles);
  const parents = take(Int32Array, nJoints);
  return { nVertices, nTriangles, nJoints, faces, parts, parents };
}

/** The largest depth of each vertex over a clip, 0 to 1; null if nothing was computed. */
export async function heat(clip) {
  const bytes = await block(`heat-${clip}`);
  return bytes && Float32Array.from(new Uint8Array(bytes), (x) => x / 255);
}

/** The number of coordinates in the blocks that are kept at most, unless that is fewer than two blocks. */
export const MOST_KEPT = 10e6;

/** Decodes blocks of frames on demand, and keeps a few of them. */
export class Frames {
  /** @param clips of the facts; @param nPoints of a file: vertices and joints */
  constructor(clips, nPoints) {
    this.clips = clips;
    this.nPoints = nPoints;
    this.kept = new Map();
  }

  /** The block that has a frame; undefined if that was left out. */
  place(clip, frame) {
    return this.clips[clip].blocks.find((b) => b.first <= frame && frame < b.first + b.count);
  }

  /** The nearest frame that is there, on the way from another frame not behind the wanted one if possible. */
  nearest(clip, frame, from = frame) {
    const there = this.clips[clip].blocks.map((b) => Math.min(Math.max(frame, b.first), b.first + b.count - 1));
    const ahead = there.filter((f) => (frame > from ? f >= frame : frame < from && f <= frame));
    const near = ahead.length > 0 ? ahead : there;
    return near.reduce((best, f) => (best === null || Math.abs(f - frame) < Math.abs(best - frame) ? f : best), null);
  }

  /** The points and the marks of a frame. */
  async frame(clip, frame) {
    const place = this.place(clip, frame);
    if (!place) return null;
    const nPoints = this.nPoints[this.clips[clip].file];
    const kept = this.kept.get(place.block) ?? {
      decoded: block(place.block).then((bytes) => decode(bytes, nPoints)),
      size: 3 * nPoints * place.count,
    };
    // The last one is that which was used last.
    this.kept.delete(place.block);
    this.kept.set(place.block, kept);
    let total = 0;
    [...this.kept].reverse().forEach(([name, { size }], i) => {
      total += size;
      if (total > MOST_KEPT && i >= 2) this.kept.delete(name);
    });
    const { poses, marks, scale } = await kept.decoded;
    const at = frame - place.first;
    return { ...poses[at], scale, marks: marks[at] };
  }
}

/** Undoes the differences of a block of frames. */
function decode(bytes, nPoints) {
  const view = new DataView(bytes);
  const count = view.getUint32(0, true);
  const scale = view.getFloat32(4, true);
  const origin = [8, 12, 16].map((at) => view.getFloat32(at, true));
  const n = 3 * nPoints;
  let at = 20;
  const poses = Array.from({ length: count }, () => ({ origin, grid: new Uint16Array(n) }));
  const planes = new Uint8Array(bytes);
  for (let k = 0; k < count; k++, at += 2 * n) {
    const { grid } = poses[k];
    for (let i = 0; i < n; i++) {
      const z = planes[at + i] | (planes[at + n + i] << 8);
      const difference = (z >>> 1) ^ -(z & 1);
      // By coordinates: all x, all y, all z. The first frame from vertex to vertex.
      const before = k > 0 ? poses[k - 1].grid[i] : i % nPoints > 0 ? grid[i - 1] : 0;
      grid[i] = before + difference;
    }
  }
  at = (at + 3) & ~3;
  const marks = Array.from({ length: count }, () => []);
  const u32 = () => ((at += 4), view.getUint32(at - 4, true));
  const f32 = (length) => {
    const array = new Float32Array(bytes, at, length);
    at += 4 * length;
    return array;
  };
  for (let left = u32(); left > 0; left--) {
    const frame = u32();
    const mark = { problem: u32(), curves: [] };
    for (let c = u32(); c > 0; c--) mark.curves.push(f32(3 * u32()));
    const nDepths = u32();
    mark.vertices = new Uint32Array(bytes, at, nDepths);
    at += 4 * nDepths;
    mark.depths = f32(nDepths);
    mark.contacts = f32(6 * u32());
    marks[frame].push(mark);
  }
  return { poses, marks, scale };
}
