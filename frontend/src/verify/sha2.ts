/**
 * SHA-256 and SHA-512 (FIPS 180-4), at once instead of later: a log is a hundred thousand small messages, and a page
 * without TLS has no WebCrypto. The constants are computed as the standard defines them, from roots of primes.
 */

function primes(count: number): bigint[] {
  const found: bigint[] = [];
  for (let n = 2n; found.length < count; n++) if (found.every((p) => n % p !== 0n)) found.push(n);
  return found;
}

/** The first 64 bits of the fraction of the k-th root of a prime. */
function fraction(prime: bigint, k: bigint): bigint {
  const wanted = prime << (64n * k);
  let low = 0n;
  let high = 1n << 72n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** k <= wanted) low = middle;
    else high = middle;
  }
  return low & 0xffffffffffffffffn;
}

const K512 = primes(80).map((p) => fraction(p, 3n));
const H512 = primes(8).map((p) => fraction(p, 2n));
const K256 = new Uint32Array(K512.slice(0, 64).map((k) => Number(k >> 32n)));
const H256 = new Uint32Array(H512.map((h) => Number(h >> 32n)));

function padded(message: Uint8Array, block: number): DataView {
  const tail = block === 64 ? 8 : 16;
  const length = Math.ceil((message.length + 1 + tail) / block) * block;
  const data = new Uint8Array(length);
  data.set(message);
  data[message.length] = 0x80;
  const view = new DataView(data.buffer);
  view.setBigUint64(length - 8, BigInt(message.length) * 8n);
  return view;
}

export function sha256(message: Uint8Array): Uint8Array {
  const data = padded(message, 64);
  const h = new Uint32Array(H256);
  const w = new Uint32Array(64);
  for (let at = 0; at < data.byteLength; at += 64) {
    for (let t = 0; t < 16; t++) w[t] = data.getUint32(at + 4 * t);
    for (let t = 16; t < 64; t++) {
      const x = w[t - 15]!;
      const y = w[t - 2]!;
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[t] = w[t - 16]! + s0 + w[t - 7]! + s1;
    }
    let [a, b, c, d, e, f, g, i] = h as unknown as [number, number, number, number, number, number, number, number];
    for (let t = 0; t < 64; t++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const one = (i + s1 + ((e & f) ^ (~e & g)) + K256[t]! + w[t]!) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [i, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, i].forEach((value, n) => (h[n] = h[n]! + value));
  }
  const out = new DataView(new ArrayBuffer(32));
  h.forEach((value, n) => out.setUint32(4 * n, value));
  return new Uint8Array(out.buffer);
}

const M64 = 0xffffffffffffffffn;
const turn = (x: bigint, by: bigint): bigint => ((x >> by) | (x << (64n - by))) & M64;

/** For signatures where the browser offers none: a few messages, so that it need not be quick. */
export function sha512(message: Uint8Array): Uint8Array {
  const data = padded(message, 128);
  const h = [...H512];
  const w: bigint[] = [];
  for (let at = 0; at < data.byteLength; at += 128) {
    for (let t = 0; t < 16; t++) w[t] = data.getBigUint64(at + 8 * t);
    for (let t = 16; t < 80; t++) {
      const x = w[t - 15]!;
      const y = w[t - 2]!;
      const s0 = turn(x, 1n) ^ turn(x, 8n) ^ (x >> 7n);
      const s1 = turn(y, 19n) ^ turn(y, 61n) ^ (y >> 6n);
      w[t] = (w[t - 16]! + s0 + w[t - 7]! + s1) & M64;
    }
    let [a, b, c, d, e, f, g, i] = h as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
    for (let t = 0; t < 80; t++) {
      const s1 = turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n);
      const one = i + s1 + ((e & f) ^ (~e & M64 & g)) + K512[t]! + w[t]!;
      const s0 = turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n);
      const two = s0 + ((a & b) ^ (a & c) ^ (b & c));
      [i, g, f, e, d, c, b, a] = [g, f, e, (d + one) & M64, c, b, a, (one + two) & M64];
    }
    [a, b, c, d, e, f, g, i].forEach((value, n) => (h[n] = (h[n]! + value) & M64));
  }
  const out = new DataView(new ArrayBuffer(64));
  h.forEach((value, n) => out.setBigUint64(8 * n, value));
  return new Uint8Array(out.buffer);
}

/** HMAC-SHA-256 with a key of at most 64 bytes. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const inner = new Uint8Array(64 + message.length);
  const outer = new Uint8Array(96);
  for (let n = 0; n < 64; n++) {
    inner[n] = (key[n] ?? 0) ^ 0x36;
    outer[n] = (key[n] ?? 0) ^ 0x5c;
  }
  inner.set(message, 64);
  outer.set(sha256(inner), 64);
  return sha256(outer);
}
