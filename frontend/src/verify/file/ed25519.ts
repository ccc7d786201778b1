/** Ed25519 (RFC 8032), verification: by the browser where it can, else in whole numbers. */

import { sha512 } from "@noble/hashes/sha2.js";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

const mod = (a: bigint): bigint => ((a % P) + P) % P;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let b = base, e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * b) % P;
    b = (b * b) % P;
  }
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);

type Point = readonly [bigint, bigint, bigint, bigint];

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function recoverX(y: bigint, sign: bigint): bigint | null {
  if (y >= P) return null;
  const x2 = mod((y * y - 1n) * power(mod(D * y * y + 1n), P - 2n));
  if (x2 === 0n) return sign ? null : 0n;
  let x = power(x2, (P + 3n) / 8n);
  if (mod(x * x - x2)) x = mod(x * ROOT_OF_MINUS_ONE);
  if (mod(x * x - x2)) return null;
  return (x & 1n) === sign ? x : P - x;
}

function point(encoded: Uint8Array): Point | null {
  const all = littleEndian(encoded);
  const y = all & ((1n << 255n) - 1n);
  const x = recoverX(y, all >> 255n);
  return x === null ? null : [x, y, 1n, mod(x * y)];
}

function add(p: Point, q: Point): Point {
  const a = mod((p[1] - p[0]) * (q[1] - q[0]));
  const b = mod((p[1] + p[0]) * (q[1] + q[0]));
  const c = mod(2n * p[3] * q[3] * D);
  const d = mod(2n * p[2] * q[2]);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function times(scalar: bigint, of: Point): Point {
  let result: Point = [0n, 1n, 1n, 0n];
  for (let s = scalar, p = of; s > 0n; s >>= 1n) {
    if (s & 1n) result = add(result, p);
    p = add(p, p);
  }
  return result;
}

const BASE_Y = mod(4n * power(5n, P - 2n));
const BASE_X = recoverX(BASE_Y, 0n)!;
const BASE: Point = [BASE_X, BASE_Y, 1n, mod(BASE_X * BASE_Y)];

/** In whole numbers, as the RFC writes it. */
export function isSignedInNumbers(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  const r = signature.subarray(0, 32);
  const [a, rr, s] = [point(key), point(r), littleEndian(signature.subarray(32))];
  if (a === null || rr === null || s >= L) return false;
  const joined = new Uint8Array(64 + message.length);
  joined.set(r);
  joined.set(key, 32);
  joined.set(message, 64);
  const k = littleEndian(sha512(joined)) % L;
  const [left, right] = [times(s, BASE), add(rr, times(k, a))];
  return mod(left[0] * right[2] - right[0] * left[2]) === 0n && mod(left[1] * right[2] - right[1] * left[2]) === 0n;
}

/** Whether the holder of the public key (32 bytes) has signed the message (signature: 64 bytes). */
export async function isSigned(key: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (key.length !== 32 || signature.length !== 64) return false;
  const own = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer;
  try {
    const imported = await crypto.subtle.importKey("raw", own(key), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", imported, own(signature), own(message));
  } catch {
    return isSignedInNumbers(key, message, signature); // no WebCrypto, none with Ed25519, or no key
  }
}
