import { describe, expect, test, vi } from "vitest";

import { Unusable, hex, unhex } from "../../../frontend/src/verify/file/bytes";
import { Chance, dealt } from "../../../frontend/src/verify/chance";
import { merkleRoot } from "../../../frontend/src/verify/checkpoints";
import { isSigned, isSignedByLibrary } from "../../../frontend/src/verify/file/ed25519";
import { hmacSha256, sha256 } from "../../../frontend/src/verify/file/sha2";
import { fromWords, inWords } from "../../../frontend/src/verify/file/words";
import { Zip } from "../../../frontend/src/verify/file/zip";
import { verify } from "../../../frontend/src/verify/verifier";
import vectors from "../../verify/vectors.json";

interface Signed {
  key: string;
  message: string;
  signature: string;
}

const digest = async (name: string, message: Uint8Array): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.digest(name, message.slice().buffer)));

async function hmac(key: Uint8Array, message: Uint8Array): Promise<string> {
  const imported = await crypto.subtle.importKey("raw", key.slice().buffer, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", imported, message.slice().buffer)));
}

const bytes = (length: number, seed = 1): Uint8Array => Uint8Array.from({ length }, (_, n) => (n * 31 + seed * 7) & 255);

describe("hashes", () => {
  test.each([0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 1000])("of %i bytes are those of WebCrypto", async (length) => {
    const message = bytes(length);

    expect(hex(sha256(message))).toBe(await digest("SHA-256", message));
    expect(hex(hmacSha256(bytes(32, 3), message))).toBe(await hmac(bytes(32, 3), message));
  });

  test("make the tree of RFC 6962", async () => {
    expect(hex(merkleRoot(vectors.root.leaves.map((leaf) => unhex(leaf))))).toBe(vectors.root.root);
    expect(hex(merkleRoot([]))).toBe(await digest("SHA-256", new Uint8Array()));
  });
});

describe("signatures", () => {
  test.each<Signed>(vectors.ed25519)("of RFC 8032 come out, with WebCrypto and without", async ({ key, message, signature }) => {
    const [k, m, s] = [unhex(key), unhex(message), unhex(signature)];

    expect(await isSigned(k, m, s)).toBe(true);
    expect(isSignedByLibrary(k, m, s)).toBe(true);
    for (const at of [0, 31, 32, 63]) {
      const wrong = s.slice();
      wrong[at]! ^= 1;
      expect(await isSigned(k, m, wrong)).toBe(false);
      expect(isSignedByLibrary(k, m, wrong)).toBe(false);
    }
    expect(isSignedByLibrary(k, bytes(3), s)).toBe(false);
    expect(isSignedByLibrary(k.slice(1), m, s)).toBe(false);
  });

  test("are verified by the library where there is no WebCrypto", async () => {
    const { key, message, signature } = vectors.ed25519[0]!;
    vi.stubGlobal("crypto", {});

    expect(await isSigned(unhex(key), unhex(message), unhex(signature))).toBe(true);
    expect(await isSigned(unhex(key), bytes(1), unhex(signature))).toBe(false);
    vi.unstubAllGlobals();
  });

  test("with a scalar beyond the order of the group are refused", () => {
    const { key, message, signature } = vectors.ed25519[0]!;
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const s = BigInt(`0x${hex(unhex(signature).slice(32).reverse())}`) + order;
    const longer = unhex(s.toString(16).padStart(64, "0")).reverse();

    expect(isSignedByLibrary(unhex(key), unhex(message), Uint8Array.from([...unhex(signature).slice(0, 32), ...longer]))).toBe(false);
  });
});

describe("words", () => {
  test.each<{ hash: string; words: string }>(vectors.words)("of $hash", ({ hash, words }) => {
    expect(inWords(unhex(hash)).join(" ")).toBe(words);
    expect(fromWords(words.toUpperCase()).join(" ")).toBe(words);
    expect(fromWords(`https://x.example/c/cup/checkpoints/?at=3#${words.replaceAll(" ", "-")}`).join(" ")).toBe(words);
  });

  test.each([
    ["babab", "verify.words_count"],
    [`${vectors.words[0]!.words} babab`, "verify.words_count"],
    [vectors.words[0]!.words.replace(/^\w+/, "hello"), "verify.word"],
    [vectors.words[0]!.words.split(" ").reverse().join(" "), "verify.words_mistyped"],
  ])("that were mistyped are told: %s", (typed, what) => {
    expect(() => fromWords(typed)).toThrow(what);
  });
});

describe("chance", () => {
  const { seed, entropy, deck, forehand } = vectors.dealing;
  const chance = new Chance(unhex(seed), entropy);

  test("deals the published deck", () => {
    expect(chance.pack("deck", deck.number, deck.deal).join(" ")).toBe(deck.cards);
  });

  test.each(forehand)("draws the published forehand of table $number", ({ number, seats, partners, ...drawn }) => {
    expect(chance.forehand(number, seats, partners)).toEqual(drawn);
  });

  test("is dealt three at a time, and the rest is left", () => {
    const pack = chance.pack("deck", 1, 1);
    const { shares, rest } = dealt(pack, 4, 8, 2);

    expect(shares[2]).toEqual([...pack.slice(0, 3), ...pack.slice(12, 15), ...pack.slice(24, 26)]);
    expect(rest).toEqual(pack.slice(32));
  });
});

describe("files", () => {
  test.each([new Uint8Array(), bytes(10), bytes(5000)])("that are no zip are told", async (data) => {
    expect(() => new Zip(data)).toThrow(Unusable);
    await expect(verify(data)).rejects.toThrow(Unusable);
  });

  test("that claim to be larger than any export are refused before they are unpacked", () => {
    const name = new TextEncoder().encode("names.json");
    const data = new Uint8Array(46 + name.length + 22);
    const view = new DataView(data.buffer);
    view.setUint32(0, 0x02014b50, true);
    view.setUint32(24, 0xfffffff0, true);
    view.setUint16(28, name.length, true);
    data.set(name, 46);
    view.setUint32(46 + name.length, 0x06054b50, true);
    view.setUint16(46 + name.length + 10, 1, true);

    expect(() => new Zip(data)).toThrow("verify.too_large");
  });
});
