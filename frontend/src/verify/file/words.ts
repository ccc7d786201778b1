/** A checkpoint as twelve words: proquints. docs/developers/sealing.md. */

import { Unusable, concat, same, utf8 } from "./bytes";
import { sha256 } from "./sha2";

const CONSONANTS = "bdfghjklmnprstvz";
const VOWELS = "aiou";
const PLACES = [
  [CONSONANTS, 12, 15],
  [VOWELS, 10, 3],
  [CONSONANTS, 6, 15],
  [VOWELS, 4, 3],
  [CONSONANTS, 0, 15],
] as const;

function whole(kept: Uint8Array): Uint8Array {
  return concat(kept, sha256(concat(utf8("puur/words/1"), kept)).subarray(0, 2));
}

export function inWords(digest: Uint8Array): string[] {
  const bytes = whole(digest.slice(0, 22));
  return Array.from({ length: 12 }, (_, n) => {
    const bits = (bytes[2 * n]! << 8) | bytes[2 * n + 1]!;
    return PLACES.map(([letters, shift, mask]) => letters[(bits >> shift) & mask]).join("");
  });
}

/** The words of a sheet, or of the address in its QR code. */
export function fromWords(typed: string): string[] {
  const words = typed.slice(typed.lastIndexOf("#") + 1).toLowerCase().match(/[a-z]+/g) ?? [];
  if (words.length !== 12) throw new Unusable("verify.words_count", { n: words.length });
  const bytes = new Uint8Array(24);
  words.forEach((word, n) => {
    if (!/^[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz]$/.test(word)) {
      throw new Unusable("verify.word", { n: n + 1, word });
    }
    const bits = PLACES.reduce((sum, [letters, shift], at) => sum | (letters.indexOf(word[at]!) << shift), 0);
    bytes[2 * n] = bits >> 8;
    bytes[2 * n + 1] = bits & 255;
  });
  if (!same(whole(bytes.slice(0, 22)), bytes)) throw new Unusable("verify.words_mistyped");
  return words;
}
