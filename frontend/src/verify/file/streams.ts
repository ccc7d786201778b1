/** The streams of an export: every hash follows from the one before, every open secret from its commitment. */

import { Unusable, concat, eight, fields, hex, prefixed, text, unhex, unjson, utf8, type Json, type JsonObject } from "./bytes";
import type { Export } from "./export";
import { sha256 } from "./sha2";

const KINDS = ["game", "round", "championship"];
const ENVELOPE = ["seq", "type", "body", "actor", "command_id", "recorded_at", "commitments"];
const NEEDED = ENVELOPE.slice(0, -1);

export interface StoredEvent {
  seq: number;
  type: string;
  recordedAt: string;
  body: JsonObject;
  commitments: JsonObject;
  /** The secret parts that are open. */
  parts: JsonObject;
}

export class Stream {
  /** By seq + 1: index 0 is the hash before the first event. */
  readonly hashes: Uint8Array[];
  readonly events: StoredEvent[] = [];

  constructor(
    readonly id: string,
    readonly kind: string,
  ) {
    this.hashes = [sha256(prefixed(utf8("puur/stream/1"), unhex(id, 16), utf8(kind)))];
  }

  get end(): number {
    return this.hashes.length - 2;
  }
}

export type Streams = Map<string, Stream>;

export async function readStreams(file: Export): Promise<Streams> {
  const { report } = file;
  const streams: Streams = new Map();
  const secrets = { open: 0, closed: 0 };
  for (const path of file.listed().filter((name) => name.startsWith("streams/"))) {
    let stream: Stream;
    let lines: Json[];
    try {
      lines = await file.lines(path);
      const head = fields(lines[0], ["stream", "kind"]);
      const [id, kind] = [text(head["stream"]), text(head["kind"])];
      if (path !== `streams/${id}.jsonl` || !KINDS.includes(kind)) throw new Unusable("verify.unnamed_stream");
      stream = new Stream(id, kind);
    } catch (error) {
      report.broken(path, error);
      continue;
    }
    streams.set(stream.id, stream);
    for (const [seq, line] of lines.slice(1).entries()) {
      try {
        stream.events.push(readEvent(stream, seq, line, secrets));
      } catch (error) {
        report.broken(`${stream.kind} ${stream.id}, ${seq}`, error);
        break;
      }
    }
  }
  const events = [...streams.values()].reduce((sum, stream) => sum + stream.events.length, 0);
  report.check("verify.checked_streams", { streams: streams.size, events });
  report.check("verify.checked_secrets", secrets);
  return streams;
}

function readEvent(stream: Stream, seq: number, line: Json, secrets: { open: number; closed: number }): StoredEvent {
  const read = fields(line, ["envelope", "parts"], ["envelope"]);
  const raw = text(read["envelope"]);
  const letter = fields(unjson(raw), ENVELOPE, NEEDED);
  if (letter["seq"] !== seq) throw new Unusable("verify.seq", { seq: letter["seq"] });
  const body = object(letter["body"]);
  const type = text(letter["type"]);
  const commitments = object(letter["commitments"] ?? {});
  const bytes = utf8(raw);
  const previous = stream.hashes.at(-1)!;
  stream.hashes.push(sha256(prefixed(utf8("puur/log/1"), unhex(stream.id, 16), eight(seq), previous, bytes)));
  const parts: JsonObject = {};
  for (const [name, value] of Object.entries(object(Object.hasOwn(read, "parts") ? (read["parts"] ?? null) : {}))) {
    const part = fields(value, ["nonce", "body"]);
    const told = text(part["body"]);
    if (hex(sha256(concat(unhex(part["nonce"], 32), utf8(told)))) !== commitments[name]) {
      throw new Unusable("verify.secret", { name });
    }
    parts[name] = unjson(told);
  }
  secrets.open += Object.keys(parts).length;
  secrets.closed += Object.keys(commitments).length - Object.keys(parts).length;
  return { seq, type, recordedAt: text(letter["recorded_at"]), body, commitments, parts };
}

function object(value: Json | undefined): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Unusable("verify.fields");
  return value;
}
