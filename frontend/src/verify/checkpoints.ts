/** Checkpoints: signatures, their chain, and that the streams equal the sealed ones. docs/developers/sealing.md. */

import { Unusable, concat, eight, fields, hex, prefixed, text, unhex, unjson, utf8, whole, type JsonObject } from "./file/bytes";
import { isSigned } from "./file/ed25519";
import type { Export } from "./file/export";
import type { Report } from "./report";
import { sha256 } from "./file/sha2";
import type { Streams } from "./file/streams";
import { fromWords, inWords } from "./file/words";

const CHECKPOINT = ["championship", "number", "made_at", "previous", "root", "streams", "events", "key"];

export interface Sealed {
  number: number;
  madeAt: string;
  words: string[];
  /** Stream → seq of its last event. */
  heads: JsonObject;
}

export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array());
  if (leaves.length === 1) return leaves[0]!;
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  return sha256(concat(Uint8Array.of(1), merkleRoot(leaves.slice(0, left)), merkleRoot(leaves.slice(left))));
}

function rootOf(streams: Streams, heads: JsonObject): Uint8Array {
  const leaves = Object.keys(heads)
    .sort()
    .map((id) => {
      const stream = streams.get(id);
      const seq = whole(heads[id], -1);
      if (stream === undefined) throw new Unusable("verify.sealed_gone", { stream: id });
      if (seq > stream.end) throw new Unusable("verify.sealed_longer", { stream: id, seq, end: stream.end });
      const leaf = prefixed(unhex(id, 16), utf8(stream.kind), eight(seq), stream.hashes[seq + 1]!);
      return sha256(concat(Uint8Array.of(0), leaf));
    });
  return merkleRoot(leaves);
}

export function messageOf(body: string): Uint8Array {
  return prefixed(utf8("puur/checkpoint/1"), utf8(body));
}

/** Every checkpoint of the file in order, up to the first invalid one. */
export async function checkCheckpoints(file: Export, streams: Streams, keys: readonly string[]): Promise<Sealed[]> {
  const { report } = file;
  const found: Sealed[] = [];
  const lines = await file.lines("checkpoints.jsonl");
  let previous = new Uint8Array(32);
  let before: JsonObject = {};
  let key = "";
  for (const [at, line] of lines.entries()) {
    let says: JsonObject;
    try {
      const read = fields(line, ["body", "signature", "heads"]);
      const body = text(read["body"]);
      const heads = fields(read["heads"], Object.keys(Object(read["heads"])));
      says = fields(unjson(body), CHECKPOINT);
      if (!(await isSigned(unhex(says["key"], 32), messageOf(body), unhex(read["signature"], 64)))) throw new Unusable("verify.signature");
      checkSaid(file, says, heads, { number: at + 1, previous, before, keys, streams });
      const own = text(says["key"]);
      if (key && own !== key) report.note("verify.new_key", { n: at + 1, key: own });
      [previous, before, key] = [new Uint8Array(sha256(messageOf(body))), heads, own];
    } catch (error) {
      report.broken(`checkpoint ${at + 1}`, error);
      return found;
    }
    found.push({ number: at + 1, madeAt: text(says["made_at"]), words: inWords(previous), heads: before });
  }
  if (key) file.checkKey(key);
  const last = found.at(-1);
  if (last === undefined) {
    report.differs("checkpoints.jsonl", "verify.not_sealed");
    return found;
  }
  for (const id of [...new Set([...streams.keys(), ...Object.keys(before)])].sort()) {
    if (streams.get(id)?.end !== before[id]) report.differs(`checkpoint ${found.length}`, "verify.not_covered", { stream: id });
  }
  report.check("verify.checked_checkpoints", { n: found.length, time: last.madeAt });
  report.check("verify.last_words", { words: last.words.join(" ") });
  return found;
}

interface Place {
  number: number;
  previous: Uint8Array;
  before: JsonObject;
  keys: readonly string[];
  streams: Streams;
}

function checkSaid(file: Export, says: JsonObject, heads: JsonObject, place: Place): void {
  const key = text(says["key"]);
  const events = Object.values(heads).reduce((sum: number, seq) => sum + whole(seq) + 1, 0);
  if (place.keys.length && !place.keys.includes(key)) throw new Unusable("verify.other_key", { key });
  if (says["championship"] !== file.championship || says["number"] !== place.number) throw new Unusable("verify.other_place");
  if (says["previous"] !== hex(place.previous)) throw new Unusable("verify.not_after");
  if (says["root"] !== hex(rootOf(place.streams, heads))) throw new Unusable("verify.root");
  if (says["streams"] !== Object.keys(heads).length || says["events"] !== events) throw new Unusable("verify.counts");
  for (const [id, seq] of Object.entries(place.before)) {
    if (whole(heads[id] ?? -2) < whole(seq)) throw new Unusable("verify.shorter", { stream: id });
  }
}

/** Check that the checkpoint on paper is among those of the file. */
export function checkWitness(report: Report, typed: string, found: readonly Sealed[]): void {
  const words = fromWords(typed).join(" ");
  const mine = found.find((one) => one.words.join(" ") === words);
  if (mine === undefined) report.differs("", "verify.not_my_sheet");
  else report.check("verify.my_sheet", { n: mine.number, time: mine.madeAt });
}
