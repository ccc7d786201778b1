/**
 * Bundles every page's script into static/puur/. What comes out is committed, so that running needs no Node:
 * `node build.mjs` writes it, `node build.mjs --check` says whether it is up to date.
 */
import { build } from "esbuild";
import { readFile } from "node:fs/promises";

const PAGES = ["base", "live-table", "play", "sheet", "transcribe", "replay", "open-table", "desk"];
const check = process.argv.includes("--check");

const { outputFiles } = await build({
  entryPoints: PAGES.map((name) => `src/${name}.ts`),
  outdir: "static/puur",
  bundle: true,
  format: "esm",
  target: ["es2022", "safari16"],
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  write: !check,
});

for (const file of check ? outputFiles : []) {
  const committed = await readFile(file.path, "utf8").catch(() => "");
  if (committed !== file.text) {
    console.error(`${file.path} is not what src/ gives: run \`npm run build\` in frontend/`);
    process.exitCode = 1;
  }
}
