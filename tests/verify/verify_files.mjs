/**
 * The browser's verifier on files, outside of a browser: `node verify_files.mjs FOLDER` with FOLDER/words.txt and
 * FOLDER/*.zip; prints a JSON line a file: name, and what came of it.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bundle = join(fileURLToPath(import.meta.url), "../../../frontend/static/puur/verifier.js");
const { Unusable, verify } = await import(bundle);
const folder = process.argv[2];
const words = await readFile(join(folder, "words.txt"), "utf8");

for (const name of (await readdir(folder)).filter((name) => name.endsWith(".zip")).sort()) {
  const data = new Uint8Array(await readFile(join(folder, name)));
  try {
    const report = await verify(data, words);
    const { differences, checked, notes } = report;
    console.log(JSON.stringify({ name, differences, notes, checked }));
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    console.log(JSON.stringify({ name, unusable: error.what }));
  }
}
