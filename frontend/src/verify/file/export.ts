/** The file of a championship: the signed list contains the hash of every file. docs/developers/export-format.md. */

import { Unusable, fields, hex, prefixed, text, unhex, unjson, utf8, whole, type Json, type JsonObject } from "./bytes";
import { isSigned } from "./ed25519";
import { Report } from "../report";
import { sha256 } from "./sha2";
import { Zip } from "./zip";

const FORMAT = "puur/export/1";
const NAME =
  /^(streams\/[0-9a-f]{32}\.jsonl|(championship|names)\.json|(checkpoints|receipts)\.jsonl|manifest\.(json|sig))$/;
const MANIFEST = ["format", "level", "championship", "slug", "exported_at", "key", "files"];

export class Export {
  readonly report = new Report();
  readonly #files: JsonObject;
  readonly #read = new Map<string, string>();

  private constructor(
    private readonly zip: Zip,
    private readonly raw: Uint8Array,
    private readonly manifest: JsonObject,
  ) {
    this.#files = manifest["files"] as JsonObject;
  }

  static async open(data: Uint8Array): Promise<Export> {
    const zip = new Zip(data);
    for (const name of zip.entries.keys()) {
      if (!NAME.test(name)) throw new Unusable("verify.strange_files", { name });
    }
    const raw = await zip.read("manifest.json");
    const manifest = fields(unjson(decoded(raw)), MANIFEST);
    if (manifest["format"] !== FORMAT) throw new Unusable("verify.no_export");
    unhex(manifest["championship"], 16);
    fields(manifest["files"], Object.keys(Object(manifest["files"])));
    return new Export(zip, raw, manifest);
  }

  get championship(): string {
    return text(this.manifest["championship"]);
  }

  listed(): string[] {
    return Object.keys(this.#files).sort();
  }

  async checkManifest(keys: readonly string[]): Promise<void> {
    const there = [...this.zip.entries.keys()].filter((name) => !name.startsWith("manifest."));
    for (const name of [...new Set([...this.listed(), ...there])].sort()) {
      if (!Object.hasOwn(this.#files, name)) this.report.differs(name, "verify.unlisted");
      else await this.#checkFile(name, this.#files[name]!);
    }
    const level = this.manifest["level"];
    if (level !== "public" && level !== "backup") this.report.differs("manifest.json", "verify.level", { level });
    const key = unhex(this.manifest["key"]);
    const signature = decoded(await this.zip.read("manifest.sig")).trim();
    const message = prefixed(utf8(FORMAT), this.raw);
    if (key.length === 0 && signature === "") this.report.note("verify.unsigned");
    else if (!(await isSigned(key, message, unhex(signature)))) this.report.differs("manifest.json", "verify.signature");
    if (keys.length && !keys.includes(hex(key))) this.report.differs("manifest.json", "verify.other_key", { key: hex(key) });
    this.report.check("verify.checked_files", { files: this.listed().length });
  }

  /** The list and the last checkpoint have the same signer. */
  checkKey(last: string): void {
    const key = text(this.manifest["key"]);
    if (key === last) return;
    if (key === "") this.report.differs("manifest.json", "verify.list_unsigned");
    else this.report.differs("manifest.json", "verify.list_key", { key, other: last });
  }

  async #checkFile(name: string, listed: Json): Promise<void> {
    const entry = fields(listed, ["size", "sha256", "personal"], ["size", "sha256"]);
    if (this.zip.entries.has(name)) {
      const data = await this.zip.read(name);
      if (data.length !== whole(entry["size"]) || hex(sha256(data)) !== entry["sha256"]) {
        this.report.differs(name, "verify.file_changed");
      }
      try {
        this.#read.set(name, decoded(data));
      } catch {
        this.report.differs(name, "verify.not_json");
      }
    } else if (entry["personal"] === true) this.report.note("verify.names_gone", { name });
    else this.report.differs(name, "verify.missing", { name });
  }

  /** The JSON of every line of a file; none if the file is missing. */
  async lines(name: string): Promise<Json[]> {
    const data = this.#read.get(name);
    const lines = (data ?? "").split("\n");
    if (lines.pop() !== "") throw new Unusable("verify.not_json");
    return lines.map(unjson);
  }
}

function decoded(data: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw new Unusable("verify.not_json");
  }
}
