// Small animated files for the tests.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A ball of triangles: positions and corners. */
function ball(rings, around, radius) {
  const positions = [[0, radius, 0]];
  for (let i = 1; i < rings; i++) {
    const a = (Math.PI * i) / rings;
    for (let j = 0; j < around; j++) {
      const b = (2 * Math.PI * j) / around;
      positions.push([radius * Math.sin(a) * Math.cos(b), radius * Math.cos(a), radius * Math.sin(a) * Math.sin(b)]);
    }
  }
  positions.push([0, -radius, 0]);
  const last = positions.length - 1;
  const at = (i, j) => 1 + (i - 1) * around + (j % around);
  const corners = [];
  for (let j = 0; j < around; j++) {
    corners.push(0, at(1, j + 1), at(1, j));
    for (let i = 1; i < rings - 1; i++) {
      corners.push(at(i, j), at(i, j + 1), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
    }
    corners.push(last, at(rings - 1, j), at(rings - 1, j + 1));
  }
  return { positions: positions.flat(), corners };
}

/**
 * Writes a glTF file: a ball that passes through another one, in clips given by name and seconds.
 * `names` are those of the two nodes; `way` are the places of the moving ball at the start, in the
 * middle and at the end of a clip.
 */
export function balls(path, { names, clips, rings = 12, around = 16, way = [[3, 0, 0], [1.2, 0.3, 0], [3, 0.6, 0]] }) {
  const chunks = [];
  let length = 0;
  const views = [];
  const accessors = [];
  const add = (array, componentType, type, count, more = {}) => {
    const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
    views.push({ buffer: 0, byteOffset: length, byteLength: bytes.length });
    accessors.push({ bufferView: views.length - 1, componentType, type, count, ...more });
    chunks.push(bytes);
    length += bytes.length;
    return accessors.length - 1;
  };
  const { positions, corners } = ball(rings, around, 1);
  const position = add(Float32Array.from(positions), 5126, "VEC3", positions.length / 3, { min: [-1, -1, -1], max: [1, 1, 1] });
  const indices = add(Uint32Array.from(corners), 5125, "SCALAR", corners.length);
  const animations = clips.map(([name, seconds]) => {
    const input = add(Float32Array.from([0, seconds / 2, seconds]), 5126, "SCALAR", 3, { min: [0], max: [seconds] });
    const moved = add(Float32Array.from(way.flat()), 5126, "VEC3", 3);
    const turned = add(Float32Array.from([0, 0, 0, 1, 0, 0.7071068, 0, 0.7071068, 0, 1, 0, 0]), 5126, "VEC4", 3);
    return {
      name,
      channels: [
        { sampler: 0, target: { node: 1, path: "translation" } },
        { sampler: 1, target: { node: 1, path: "rotation" } },
        { sampler: 1, target: { node: 0, path: "rotation" } },
      ],
      samplers: [{ input, output: moved }, { input, output: turned }],
    };
  });
  const bytes = Buffer.concat(chunks);
  const uri = `data:application/octet-stream;base64,${bytes.toString("base64")}`;
  const mesh = { primitives: [{ attributes: { POSITION: position }, indices }] };
  writeFileSync(
    path,
    JSON.stringify({
      asset: { version: "2.0" },
      scene: 0,
      scenes: [{ nodes: [0, 1] }],
      nodes: [{ name: names[0], mesh: 0 }, { name: names[1], mesh: 0, translation: [3, 0, 0] }],
      meshes: [mesh],
      animations,
      accessors,
      bufferViews: views,
      buffers: [{ uri, byteLength: bytes.length }],
    }),
  );
}

/** Writes two balls without names as OBJ files, a file for each place of the second one; returns their names. */
export function components(folder, places) {
  const { positions, corners } = ball(8, 12, 1);
  const n = positions.length / 3;
  return places.map((place, i) => {
    const lines = [];
    for (const shift of [[0, 0, 0], place]) {
      for (let v = 0; v < n; v++) lines.push(`v ${[0, 1, 2].map((k) => positions[3 * v + k] + shift[k]).join(" ")}`);
    }
    for (const first of [1, n + 1]) {
      for (let t = 0; t < corners.length; t += 3) lines.push(`f ${corners.slice(t, t + 3).map((v) => v + first).join(" ")}`);
    }
    const name = `ball ${i}.obj`;
    writeFileSync(join(folder, name), lines.join("\n") + "\n");
    return name;
  });
}
