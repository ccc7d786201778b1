/** Bytes, hex, JSON, and the error for unusable input. docs/developers/log-format.md. */

import { hasDoubles } from "./json";

/** The file, the words or the key cannot be parsed. `what` is a key of the words. */
export class Unusable extends Error {
  constructor(
    readonly what: string,
    readonly params: Record<string, unknown> = {},
  ) {
    super(what);
  }
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

const encoder = new TextEncoder();
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

export function concat(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** An integer as 8 bytes, big-endian; -1 as two's complement. */
export function eight(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value));
  return bytes;
}

/** Every field with its length before it. */
export function prefixed(...fields: Uint8Array[]): Uint8Array {
  return concat(...fields.flatMap((field) => [eight(field.length), field]));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function unhex(text: unknown, size?: number): Uint8Array {
  if (typeof text !== "string" || !/^([0-9a-f]{2})*$/.test(text)) throw new Unusable("verify.not_hex");
  if (size !== undefined && text.length !== 2 * size) throw new Unusable("verify.not_hex");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function unjson(text: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new Unusable("verify.not_json");
  }
  if (hasDoubles(text)) throw new Unusable("verify.doubles");
  return value;
}

/** The object, if it has all `needed` keys, and only `allowed` ones. */
export function fields(value: Json | undefined, allowed: readonly string[], needed = allowed): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Unusable("verify.fields");
  const keys = Object.keys(value);
  if (!keys.every((key) => allowed.includes(key)) || !needed.every((key) => Object.hasOwn(value, key))) {
    throw new Unusable("verify.fields");
  }
  return value;
}

export function text(value: Json | undefined): string {
  if (typeof value !== "string") throw new Unusable("verify.fields");
  return value;
}

export function whole(value: Json | undefined, least = Number.MIN_SAFE_INTEGER): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least) throw new Unusable("verify.fields");
  return value;
}

export function list(value: Json | undefined): Json[] {
  if (!Array.isArray(value)) throw new Unusable("verify.fields");
  return value;
}

/** JSON with sorted keys and no spaces. */
export function compact(value: Json | undefined): Uint8Array {
  const sorted = (inner: Json): Json =>
    Array.isArray(inner)
      ? inner.map(sorted)
      : inner !== null && typeof inner === "object"
        ? Object.fromEntries(Object.keys(inner).sort().map((key) => [key, sorted(inner[key]!)]))
        : inner;
  return utf8(JSON.stringify(value === undefined ? null : sorted(value)));
}

export const same = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, n) => byte === other[n]);
