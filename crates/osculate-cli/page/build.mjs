// Builds page.html: the page without its data, in one file. Run by `cargo xtask page`.
//
// `node build.mjs` writes page.html; `node build.mjs --check` fails if it is not current.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const read = (name) => readFileSync(here(name), "utf8");
const LIMIT = 600_000;

// three.js as single modules, without the shaders of materials and lights that the page does not use.
const UNUSED = /(lights_|shadowmap_|transmission_|iridescence_|envmap_|clearcoat_|lightprobes_|meshphysical|meshphong|meshlambert|meshtoon|meshmatcap|meshnormal|bumpmap_|normalmap_|bsdfs|cube_uv_)[a-z_]*\.glsl\.js$/;
const slim = {
  name: "slim",
  setup(build) {
    build.onResolve({ filter: /^three$/ }, () => ({ path: here("node_modules/three/src/Three.js"), sideEffects: false }));
    build.onLoad({ filter: UNUSED }, ({ path }) => {
      // Some files have one default export, others a vertex and a fragment shader.
      const isPair = path.includes("/ShaderLib/");
      return { contents: isPair ? "export const vertex = ''; export const fragment = '';" : "export default '';" };
    });
  },
};

async function bundle(entry, options) {
  const result = await build({
    entryPoints: [here(entry)],
    bundle: true,
    minify: true,
    write: false,
    legalComments: "none",
    logLevel: "warning",
    ...options,
  });
  return result.outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

const license = read("three.LICENSE").trim();
// The license of what is bundled stands in front of it. Nothing may end the script element early.
const script = `/*! three.js\n${license}\n*/\n${await bundle("src/main.js", { format: "iife", target: "es2022", plugins: [slim] })}`
  .replaceAll("</script", "<\\/script")
  .replaceAll("<!--", "\\x3c!--");
const style = await bundle("src/page.css", { loader: { ".css": "css" } });
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const parts = { policy, style, script };
const page = read("src/page.html").replace(/%%(policy|style|script)%%/g, (_, name) => parts[name]);

if (Buffer.byteLength(page) > LIMIT) {
  throw new Error(`page.html would have ${Buffer.byteLength(page)} bytes, more than ${LIMIT}`);
}
if (process.argv.includes("--check")) {
  if (read("page.html") !== page) {
    throw new Error("page.html is not what src/ gives; `cargo xtask page` writes it again");
  }
  console.log(`page.html is current (${Buffer.byteLength(page)} bytes)`);
} else {
  writeFileSync(here("page.html"), page);
  console.log(`page.html: ${Buffer.byteLength(page)} bytes`);
}
