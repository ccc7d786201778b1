/** Reading a zip file: stored and deflated entries, bounded, nothing else. */

import { Unusable } from "./bytes";

const LONGEST_FILE = 64 * 1024 * 1024;
const MOST_BYTES = 2 ** 31;
const MOST_FILES = 50_000;

interface Entry {
  method: number;
  packed: number;
  size: number;
  at: number;
}

export class Zip {
  readonly entries = new Map<string, Entry>();

  constructor(private readonly data: Uint8Array) {
    try {
      this.#readDirectory();
    } catch (error) {
      throw error instanceof Unusable ? error : new Unusable("verify.no_zip");
    }
  }

  #readDirectory(): void {
    const view = new DataView(this.data.buffer, this.data.byteOffset, this.data.byteLength);
    let end = this.data.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
    if (end < 0) throw new Unusable("verify.no_zip");
    const count = view.getUint16(end + 10, true);
    let at = view.getUint32(end + 16, true);
    let total = 0;
    if (count === 0xffff || at === 0xffffffff || count > MOST_FILES) throw new Unusable("verify.too_large");
    for (let n = 0; n < count; n++) {
      if (view.getUint32(at, true) !== 0x02014b50) throw new Unusable("verify.no_zip");
      const [name, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [number, number, number];
      const path = new TextDecoder("utf-8", { fatal: true }).decode(this.data.subarray(at + 46, at + 46 + name));
      const entry = {
        method: view.getUint16(at + 10, true),
        packed: view.getUint32(at + 20, true),
        size: view.getUint32(at + 24, true),
        at: view.getUint32(at + 42, true),
      };
      total += entry.size;
      if (entry.size > LONGEST_FILE || total > MOST_BYTES) throw new Unusable("verify.too_large");
      if (this.entries.has(path)) throw new Unusable("verify.strange_files", { name: path });
      this.entries.set(path, entry);
      at += 46 + name + extra + comment;
    }
  }

  /** The bytes of a file; never more than the size in its entry. */
  async read(path: string): Promise<Uint8Array> {
    const entry = this.entries.get(path);
    if (entry === undefined) throw new Unusable("verify.missing", { name: path });
    const view = new DataView(this.data.buffer, this.data.byteOffset, this.data.byteLength);
    try {
      if (view.getUint32(entry.at, true) !== 0x04034b50) throw new Unusable("verify.no_zip");
      const begin = entry.at + 30 + view.getUint16(entry.at + 26, true) + view.getUint16(entry.at + 28, true);
      const packed = this.data.subarray(begin, begin + entry.packed);
      if (entry.method === 0) return packed;
      if (entry.method !== 8) throw new Unusable("verify.no_zip");
      return await inflated(packed, entry.size);
    } catch (error) {
      throw error instanceof Unusable ? error : new Unusable("verify.unpack", { name: path });
    }
  }
}

async function inflated(packed: Uint8Array, size: number): Promise<Uint8Array> {
  const out = new Uint8Array(size);
  const stream = new Blob([packed.slice().buffer]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (at + value.length > size) throw new Unusable("verify.too_large");
    out.set(value, at);
    at += value.length;
  }
  if (at !== size) throw new Unusable("verify.no_zip");
  return out;
}
