/**
 * Bundles every page's script into static/puur/, what several pages need into parts of its own. What comes out is
 * committed, so that running needs no Node: `node build.mjs` writes it, `node build.mjs --check` says whether it is up
 * to date. A part carries the hash of what is in it, so that no page meets the part of another version.
 */
import { build } from "esbuild";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";

const PAGES = ["base", "live-table", "play", "sheet", "transcribe", "replay", "open-table", "desk", "at-moment", "verify", "verifier", "fairness", "chance", "projector", "embed", "overlay", "share", "results", "correct"];
const FOLDER = "static/puur";
const PART = /^part-\w+\.js$/;
const check = process.argv.includes("--check");

const { outputFiles } = await build({
  entryPoints: PAGES.map((name) => `src/${name}.ts`),
  outdir: FOLDER,
  bundle: true,
  splitting: true,
  chunkNames: "part-[hash]",
  format: "esm",
  target: ["es2022", "safari16"],
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  write: false,
});
const made = new Set(outputFiles.map((file) => basename(file.path)));

function complain(path, what) {
  console.error(`${path} ${what}: run \`npm run build\` in frontend/`);
  process.exitCode = 1;
}

for (const file of outputFiles) {
  if (check) {
    const committed = await readFile(file.path, "utf8").catch(() => "");
    if (committed !== file.text) complain(file.path, "is not what src/ gives");
  }
}
for (const name of await readdir(FOLDER)) {
  if (!PART.test(name) || made.has(name)) continue;
  if (check) complain(`${FOLDER}/${name}`, "is needed by no page");
  else await rm(`${FOLDER}/${name}`);
}
if (!check) {
  await Promise.all(outputFiles.map((file) => writeFile(file.path, file.contents)));
}
