// The vertices that are drawn: those of the surface, split at creases and between parts.

const CREASE = Math.cos((50 * Math.PI) / 180);

/**
 * Splits vertices where triangles meet at a sharp angle or belong to different parts.
 *
 * Returns `source`, the vertex of the surface that each drawn vertex is, `index`, the corners of the
 * triangles by drawn vertices, `part`, the part of each drawn vertex, and `smooth`, the number of
 * its normal: vertices that are split between parts only share one.
 */
export function split({ faces, parts, nVertices }, positions) {
  const normals = faceNormals(faces, positions);
  const first = new Uint32Array(nVertices + 1);
  for (const v of faces) first[v + 1]++;
  for (let v = 0; v < nVertices; v++) first[v + 1] += first[v];
  const corners = new Uint32Array(faces.length);
  const fill = first.slice();
  for (let c = 0; c < faces.length; c++) corners[fill[faces[c]]++] = c;

  const index = new Uint32Array(faces.length);
  const source = [];
  const part = [];
  const smooth = [];
  let nNormals = 0;
  for (let v = 0; v < nVertices; v++) {
    // Groups of corners; a corner joins the first group with a triangle that is nearly level.
    const groups = [];
    for (let i = first[v]; i < first[v + 1]; i++) {
      const t = (corners[i] / 3) | 0;
      const near = (u) => normals[3 * u] * normals[3 * t] + normals[3 * u + 1] * normals[3 * t + 1] + normals[3 * u + 2] * normals[3 * t + 2] >= CREASE;
      let group = groups.find((g) => g.triangles.some(near));
      if (!group) {
        group = { triangles: [], normal: nNormals++, drawn: new Map() };
        groups.push(group);
      }
      group.triangles.push(t);
      if (!group.drawn.has(parts[t])) {
        group.drawn.set(parts[t], source.length);
        source.push(v);
        part.push(parts[t]);
        smooth.push(group.normal);
      }
      index[corners[i]] = group.drawn.get(parts[t]);
    }
  }
  const array = (list) => Uint32Array.from(list);
  return { index, source: array(source), part: array(part), smooth: array(smooth), sums: new Float32Array(3 * nNormals) };
}

function faceNormals(faces, p) {
  const normals = new Float32Array(faces.length);
  for (let t = 0; t < faces.length; t += 3) {
    const [a, b, c] = [3 * faces[t], 3 * faces[t + 1], 3 * faces[t + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(x, y, z) || 1;
    normals.set([x / length, y / length, z / length], t);
  }
  return normals;
}

/** Sets the normals of drawn vertices: sums over their triangles, weighted by area. */
export function smoothNormals({ index, smooth, sums }, p, normals) {
  sums.fill(0);
  for (let t = 0; t < index.length; t += 3) {
    const a = 3 * index[t], b = 3 * index[t + 1], c = 3 * index[t + 2];
    const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    for (let k = 0; k < 3; k++) {
      const at = 3 * smooth[index[t + k]];
      sums[at] += x;
      sums[at + 1] += y;
      sums[at + 2] += z;
    }
  }
  for (let v = 0; v < smooth.length; v++) {
    const at = 3 * smooth[v];
    normals[3 * v] = sums[at];
    normals[3 * v + 1] = sums[at + 1];
    normals[3 * v + 2] = sums[at + 2];
  }
}
