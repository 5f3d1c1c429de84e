// The model in 3-D. Draws when something has changed, and only then.
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  GLSL3,
  LessEqualDepth,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  NotEqualStencilFunc,
  PerspectiveCamera,
  Points,
  PointsMaterial,
  ReplaceStencilOp,
  Scene,
  ShaderMaterial,
  Vector3,
  WebGLRenderer,
  DoubleSide,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { smoothNormals, split } from "./shape.js";

const VERTEX = `
in float side;
in float depth;
out vec3 vNormal;
out vec3 vView;
out float vSide;
centroid out float vDepth;
void main() {
  vec4 at = modelViewMatrix * vec4(position, 1.0);
  vNormal = normalMatrix * normal;
  vView = at.xyz;
  vSide = side;
  vDepth = depth;
  gl_Position = projectionMatrix * at;
}`;

const FRAGMENT = `
in vec3 vNormal;
in vec3 vView;
in float vSide;
// Not beyond the border of a triangle, where negative depths would become positive ones.
centroid in float vDepth;
uniform vec3 plain;
uniform vec3 first;
uniform vec3 second;
uniform float opacity;
uniform bool onlyEnclosed;
uniform bool isEdge;
out vec4 color;
vec3 ramp(float x) {
  vec3 a = vec3(1.0, 0.882, 0.29), b = vec3(1.0, 0.549, 0.102), c = vec3(0.878, 0.125, 0.106), d = vec3(0.541, 0.059, 0.361);
  return x < 0.333 ? mix(a, b, x * 3.0) : x < 0.667 ? mix(b, c, x * 3.0 - 1.0) : mix(c, d, min(x * 3.0 - 2.0, 1.0));
}
void main() {
  // Interpolation of zeros is not always zero.
  bool enclosed = vDepth > 0.0005;
  if (onlyEnclosed && !enclosed) discard;
  vec3 base = vSide > 1.5 ? second : vSide > 0.5 ? first : plain;
  if (enclosed && !isEdge) base = ramp(vDepth);
  vec3 n = length(vNormal) > 0.0 ? normalize(vNormal) : vec3(0.0, 0.0, 1.0);
  vec3 toEye = normalize(-vView);
  if (dot(n, toEye) < 0.0) n = -n;
  float key = max(dot(n, normalize(vec3(0.35, 0.75, 0.6))), 0.0);
  float head = max(dot(n, toEye), 0.0);
  float light = 0.34 + 0.42 * key + 0.3 * head;
  if (enclosed) light = mix(light, 1.0, 0.45);
  color = vec4(min(base * light, 1.0), opacity);
}`;

const rgb = (hex) => new Vector3((hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255);

const THEMES = {
  light: { plain: 0xb9c1cb, first: 0x5a9ce8, second: 0xf0a34a, curve: 0x101418, glow: 0xffffff, bone: 0x334155, wire: 0x1f2937 },
  dark: { plain: 0x8793a3, first: 0x5a9ce8, second: 0xf0a34a, curve: 0xffffff, glow: 0x101418, bone: 0xdbe4ee, wire: 0x0b0f14 },
};

/** Whether this browser draws with WebGL 2. */
export function isThere() {
  try {
    return document.createElement("canvas").getContext("webgl2") !== null;
  } catch {
    return false;
  }
}

export class View {
  constructor(canvas, box) {
    this.box = box;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, stencil: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(35, 1, 0.01, 100);
    this.onMoved = () => {};
    this.control();

    const shader = (settings) => {
      const uniforms = { plain: {}, first: {}, second: {}, opacity: { value: 1 }, onlyEnclosed: { value: false }, isEdge: { value: false } };
      return new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, glslVersion: GLSL3, uniforms, side: DoubleSide, ...settings });
    };
    const behindEdges = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
    this.solid = shader(behindEdges);
    // Transparent, so that it is drawn behind what is solid and its edges.
    this.mask = shader({ colorWrite: false, transparent: true });
    this.veil = shader({ transparent: true, depthWrite: false, depthFunc: LessEqualDepth });
    this.veil.uniforms.opacity.value = 0.2;
    // What is enclosed shines through where none of it is seen, and only the nearest of it.
    const enclosed = (settings) => {
      const material = shader({ transparent: true, depthWrite: false, stencilWrite: true, stencilRef: 1, ...settings });
      material.uniforms.onlyEnclosed.value = true;
      return material;
    };
    this.seen = enclosed({ colorWrite: false, stencilZPass: ReplaceStencilOp, ...behindEdges });
    this.nearest = enclosed({ colorWrite: false, depthWrite: true, stencilFunc: NotEqualStencilFunc });
    this.inside = enclosed({ stencilFunc: NotEqualStencilFunc });
    this.inside.uniforms.opacity.value = 0.72;

    this.geometry = new BufferGeometry();
    this.others = new BufferGeometry();
    const add = (object, order) => {
      object.frustumCulled = false;
      object.renderOrder = order;
      this.scene.add(object);
      return object;
    };
    add(new Mesh(this.geometry, this.solid), 0);
    add(new Mesh(this.others, this.mask), 1);
    add(new Mesh(this.others, this.veil), 2);
    add(new Mesh(this.geometry, this.seen), 3);
    // What is drawn from here on is not hidden by what was drawn before.
    add(new Mesh(this.geometry, this.nearest), 3.1).onBeforeRender = (renderer) => renderer.clearDepth();
    add(new Mesh(this.geometry, this.inside), 3.2);
    this.wire = add(new Mesh(this.geometry, shader({ wireframe: true, transparent: true, depthWrite: false })), 0.5);
    this.wire.material.uniforms.opacity.value = 0.5;
    this.wire.material.uniforms.isEdge.value = true;
    this.wire.visible = false;
    this.bones = add(new LineSegments(new BufferGeometry(), new LineBasicMaterial({ depthTest: false, transparent: true })), 5);
    this.joints = add(new Points(this.bones.geometry, dots(6)), 5);
    this.bones.visible = this.joints.visible = false;
    const line = (width, order) => {
      const material = new LineMaterial({ linewidth: width, depthTest: false, transparent: true });
      return add(new LineSegments2(new LineSegmentsGeometry(), material), order);
    };
    this.glow = line(5, 6);
    this.curve = line(2.2, 7);
    this.normals = line(2, 8);
    this.touching = add(new Points(new BufferGeometry(), dots(9)), 8);

    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.paint(dark.matches));
    this.paint(dark.matches);
    new ResizeObserver(() => this.resize()).observe(box);
    this.resize();
    this.isAsked = false;
  }

  /** Lets the pointer move the camera. The controls read the axis that points up when they are made. */
  control() {
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.ask());
    this.controls.addEventListener("end", () => this.onMoved());
  }

  paint(isDark) {
    const theme = THEMES[isDark ? "dark" : "light"];
    for (const material of [this.solid, this.mask, this.veil, this.seen, this.nearest, this.inside]) {
      for (const name of ["plain", "first", "second"]) material.uniforms[name].value = rgb(theme[name]);
    }
    for (const name of ["plain", "first", "second"]) this.wire.material.uniforms[name].value = rgb(theme.wire);
    this.curve.material.color.setHex(theme.curve);
    this.glow.material.color.setHex(theme.glow);
    this.bones.material.color.setHex(theme.bone);
    this.joints.material.color.setHex(theme.bone);
    this.normals.material.color.setHex(0xd81b60);
    this.touching.material.color.setHex(0xd81b60);
    this.ask();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.ask();
  }

  /** Draws soon, once. */
  ask() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      this.draw();
    });
  }

  draw() {
    this.renderer.render(this.scene, this.camera);
    this.drawn = (this.drawn ?? 0) + 1;
    this.box.dataset.drawn = this.drawn;
  }

  /** Takes another surface; its creases are those of a frame. */
  setSurface(surface, frame) {
    this.surface = surface;
    const positions = new Float32Array(3 * surface.nVertices);
    unpack(frame, surface, positions);
    const shape = split(surface, positions);
    this.shape = shape;
    this.points = positions;
    const dynamic = (size) => new BufferAttribute(new Float32Array(size * shape.source.length), size).setUsage(DynamicDrawUsage);
    const attributes = { position: dynamic(3), normal: dynamic(3), side: dynamic(1), depth: dynamic(1) };
    for (const geometry of [this.geometry, this.others]) {
      for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute);
    }
    this.attributes = attributes;
    this.depthOf = new Float32Array(surface.nVertices);
    const starts = [];
    surface.parents.forEach((parent, joint) => parent >= 0 && starts.push(parent, joint));
    this.bones.geometry.setIndex(starts);
    this.bones.geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * surface.nJoints), 3));
    this.setSides(null);
  }

  /** Draws two parts in their colors and fades all others; without parts, all alike. */
  setSides(parts, isGhosted = true) {
    const { index, part } = this.shape;
    const { side } = this.attributes;
    for (let v = 0; v < part.length; v++) {
      side.array[v] = !parts ? 0 : part[v] === parts[0] ? 1 : part[v] === parts[1] ? 2 : 0;
    }
    side.needsUpdate = true;
    const near = [];
    const far = [];
    for (let t = 0; t < index.length; t += 3) {
      const list = !parts || !isGhosted || side.array[index[t]] > 0 ? near : far;
      list.push(index[t], index[t + 1], index[t + 2]);
    }
    // three.js makes the edges of an index again if its version has grown.
    this.edition = (this.edition ?? 0) + 1;
    for (const [geometry, list] of [[this.geometry, near], [this.others, far]]) {
      const corners = new BufferAttribute(Uint32Array.from(list), 1);
      corners.version = this.edition;
      geometry.setIndex(corners);
    }
    this.ask();
  }

  /** Moves the surface to a frame. */
  setFrame(frame) {
    this.scene.visible = true;
    const { source } = this.shape;
    unpack(frame, this.surface, this.points);
    const { position, normal } = this.attributes;
    for (let v = 0; v < source.length; v++) {
      const from = 3 * source[v];
      position.array[3 * v] = this.points[from];
      position.array[3 * v + 1] = this.points[from + 1];
      position.array[3 * v + 2] = this.points[from + 2];
    }
    smoothNormals(this.shape, position.array, normal.array);
    position.needsUpdate = normal.needsUpdate = true;
    if (this.surface.nJoints) {
      const joints = this.bones.geometry.getAttribute("position");
      unpackFrom(frame, this.surface.nVertices, this.surface.nJoints, this.surface, joints.array);
      joints.needsUpdate = true;
    }
    this.ask();
  }

  /** Colors vertices by depth, as a share of `most`. Pairs of lists: vertices, depths. */
  setDepths(lists, most) {
    this.depthOf.fill(0);
    for (const { vertices, depths } of lists) {
      for (let i = 0; i < vertices.length; i++) {
        const share = depths[i] / most;
        const now = this.depthOf[vertices[i]];
        if (now === 0 || now < share) this.depthOf[vertices[i]] = share;
      }
    }
    this.spreadDepths();
  }

  /** Colors all vertices. */
  setHeat(shares) {
    this.depthOf.set(shares);
    this.spreadDepths();
  }

  spreadDepths() {
    const { source } = this.shape;
    const { depth } = this.attributes;
    for (let v = 0; v < source.length; v++) depth.array[v] = this.depthOf[source[v]];
    depth.needsUpdate = true;
    this.ask();
  }

  /** Draws curves and contacts. Normals are as long as the `reach` of a mark. */
  setMarks(marks) {
    const segments = [];
    const points = [];
    const normals = [];
    for (const { curves, contacts, reach } of marks) {
      for (const curve of curves) {
        for (let i = 0; i + 3 < curve.length; i += 3) segments.push(...curve.subarray(i, i + 6));
      }
      for (let i = 0; i < contacts.length; i += 6) {
        const [x, y, z, nx, ny, nz] = contacts.subarray(i, i + 6);
        points.push(x, y, z);
        normals.push(x, y, z, x + nx * reach, y + ny * reach, z + nz * reach);
      }
    }
    for (const [line, ends] of [[this.glow, segments], [this.curve, segments], [this.normals, normals]]) {
      line.visible = ends.length > 0;
      if (line.visible) {
        line.geometry.dispose();
        line.geometry = new LineSegmentsGeometry();
        line.geometry.setPositions(ends);
      }
    }
    this.touching.geometry.dispose();
    this.touching.geometry.setAttribute("position", new BufferAttribute(Float32Array.from(points), 3));
    this.ask();
  }

  setUp(isZ) {
    this.camera.up.set(0, isZ ? 0 : 1, isZ ? 1 : 0);
    const target = this.controls.target.clone();
    this.controls.dispose();
    this.control();
    this.controls.target.copy(target);
    this.controls.update();
    this.ask();
  }

  /** Draws nothing until there is a frame. */
  clear() {
    this.scene.visible = false;
    this.ask();
  }

  /** The bounds of the surface at this frame; a ball around the origin if there never was one. */
  bounds(only) {
    if (!this.shape) return { center: new Vector3(), radius: 1 };
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const { source, part } = this.shape;
    for (let v = 0; v < source.length; v++) {
      if (only && !only.includes(part[v])) continue;
      for (let i = 0; i < 3; i++) {
        const x = this.points[3 * source[v] + i];
        low[i] = Math.min(low[i], x);
        high[i] = Math.max(high[i], x);
      }
    }
    const center = new Vector3(...low.map((x, i) => (x + high[i]) / 2));
    const radius = Math.hypot(...high.map((x, i) => x - low[i])) / 2 || 1;
    return { center, radius };
  }

  /** Looks at a ball from a direction. */
  look(center, radius, direction) {
    const fov = (this.camera.fov * Math.PI) / 180;
    const narrow = Math.min(1, this.camera.aspect);
    const distance = radius / Math.sin(Math.atan(Math.tan(fov / 2) * narrow));
    const toward = direction ? new Vector3(...direction) : this.camera.position.clone().sub(this.controls.target);
    if (toward.length() === 0) toward.set(0.6, 0.35, 1);
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(toward.normalize(), distance);
    this.setReach();
    this.controls.update();
    this.ask();
  }

  /** The planes between which things are drawn, from the size of the model. */
  setReach() {
    const { radius } = this.bounds();
    this.camera.near = radius / 500;
    this.camera.far = radius * 60;
    this.controls.minDistance = radius / 200;
    this.controls.maxDistance = radius * 25;
    this.camera.updateProjectionMatrix();
  }

  /** Six numbers from which `setCamera` gives the same view. */
  getCamera() {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()].map((x) => Number(x.toPrecision(5)));
  }

  setCamera(numbers) {
    this.setReach();
    this.camera.position.fromArray(numbers, 0);
    this.controls.target.fromArray(numbers, 3);
    this.controls.update();
    this.ask();
  }
}

/** Round points of a size in pixels, that nothing hides. */
function dots(size) {
  const material = new PointsMaterial({ size, sizeAttenuation: false, depthTest: false, transparent: true });
  material.onBeforeCompile = (shader) => {
    const disk = "if (length(gl_PointCoord - 0.5) > 0.5) discard;";
    shader.fragmentShader = shader.fragmentShader.replace("void main() {", `void main() { ${disk}`);
  };
  return material;
}

/** The positions of vertices, from a grid by coordinates. */
function unpack(frame, surface, out) {
  unpackFrom(frame, 0, surface.nVertices, surface, out);
}

function unpackFrom({ grid, origin, scale }, first, count, { nVertices, nJoints }, out) {
  const n = nVertices + nJoints;
  for (let v = 0; v < count; v++) {
    out[3 * v] = origin[0] + scale * grid[first + v];
    out[3 * v + 1] = origin[1] + scale * grid[n + first + v];
    out[3 * v + 2] = origin[2] + scale * grid[2 * n + first + v];
  }
}
