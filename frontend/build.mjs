/**
 * Bundles the scripts of the pages into static/puur/, modules that several pages share into parts, and the style sheets
 * into static/puur/styles/. The output is committed, so that running needs no Node: `node build.mjs` writes it,
 * `node build.mjs --check` checks whether it is up to date. The name of a part has the hash of its content, so that no
 * page loads a part of another version.
 */
import { build } from "esbuild";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";

const PAGES = ["base", "live-table", "sheet", "transcribe", "replay", "open-table", "desk", "at-moment", "verify", "fairness", "chance", "projector", "overlay", "share", "results", "correct", "what-if", "offline", "followed", "graph", "notices", "copied-text"];
/** Bundles in one piece, without modules that only other pages need: players wait for `play`, other sites embed `embed`.
 * A browser requests six files at a time; on a phone each round trip takes a sixth of a second. */
const WHOLE = ["play", "embed"];
const FOLDER = "static/puur";
const STYLES = `${FOLDER}/styles`;
const PART = /^part-\w+\.js$/;
const page = (name) => ({ in: `src/pages/${name}.ts`, out: name });
const check = process.argv.includes("--check");

const shared = {
  bundle: true,
  target: ["es2022", "safari16"],
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  write: false,
  preserveSymlinks: true, // names of parts depend on the paths of their modules: the same in every clone, also with a linked node_modules
};

const scripts = await build({
  ...shared,
  entryPoints: [...PAGES.map(page), { in: "src/verify/verifier.ts", out: "verifier" }],
  outdir: FOLDER,
  splitting: true,
  chunkNames: "part-[hash]",
  format: "esm",
  metafile: true,
});
const whole = await build({
  ...shared,
  entryPoints: WHOLE.map(page),
  outdir: FOLDER,
  format: "esm",
});
/** Stands alone, outside of every page. */
const worker = await build({
  ...shared,
  entryPoints: ["src/worker/worker.ts"],
  outdir: FOLDER,
  format: "iife",
});
/** The verifier for a page that is opened as a file, where modules are not loaded. */
const copied = await build({
  ...shared,
  entryPoints: [{ in: "src/pages/verify.ts", out: "verify-copy" }],
  outdir: FOLDER,
  format: "iife",
});
const sheets = await build({
  ...shared,
  entryPoints: (await readdir("styles")).filter((name) => name.endsWith(".css")).map((name) => `styles/${name}`),
  outdir: STYLES,
  external: ["*.svg", "*.woff2"],
});
/** Script of a page -> the parts that it needs, so that a page can ask for them together with it. */
const parts = {};
for (const path of Object.keys(scripts.metafile.outputs).sort()) {
  if (!scripts.metafile.outputs[path].entryPoint) continue;
  const found = new Set([path]);
  for (const one of found) {
    for (const { path: next, kind } of scripts.metafile.outputs[one].imports) if (kind === "import-statement") found.add(next);
  }
  found.delete(path);
  parts[basename(path, ".js")] = [...found].map((one) => basename(one, ".js")).sort();
}
for (const name of WHOLE) parts[name] = [];
const partsFile = {
  path: resolve(FOLDER, "parts.json"),
  text: `${JSON.stringify(parts, null, 1)}\n`,
};
partsFile.contents = partsFile.text;
const outputFiles = [...scripts.outputFiles, ...whole.outputFiles, ...worker.outputFiles, ...copied.outputFiles, ...sheets.outputFiles, partsFile];
const made = new Set(outputFiles.map((file) => file.path));

function complain(path, what) {
  console.error(`${path} ${what}: run \`npm run build\` in frontend/`);
  process.exitCode = 1;
}

for (const file of outputFiles) {
  if (check) {
    const committed = await readFile(file.path, "utf8").catch(() => "");
    if (committed !== file.text) complain(file.path, "is not what src/ and styles/ give");
  }
}
for (const [folder, ours] of [[FOLDER, PART], [STYLES, /\.css$/]]) {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = resolve(folder, name);
    if (!ours.test(name) || made.has(path)) continue;
    if (check) complain(path, "is needed by no page");
    else await rm(path);
  }
}
if (!check) {
  await mkdir(STYLES, { recursive: true });
  await Promise.all(outputFiles.map((file) => writeFile(file.path, file.contents)));
}
