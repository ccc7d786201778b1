/** Bundles every page's script into static/puur/. Output is committed; CI builds again and compares. */
import { build } from "esbuild";
import { existsSync } from "node:fs";

const entries = ["base", "live-table", "play", "sheet", "transcribe", "replay", "open-table"];

await build({
  entryPoints: entries.map((name) => `src/${name}.ts`).filter((path) => existsSync(path)),
  outdir: "static/puur",
  bundle: true,
  format: "esm",
  target: ["es2022", "safari16"],
  minify: true,
  legalComments: "none",
  logLevel: "warning",
});
