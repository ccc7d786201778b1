/** Ed25519 (RFC 8032), verification: by the browser if it can, else by `@noble/ed25519`. */

import { hashes, verify } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";

hashes.sha512 = sha512; // @noble/ed25519's default hash uses WebCrypto

/** For pages without TLS, where browsers have no WebCrypto. Strict: RFC 8032, not ZIP 215. */
export function isSignedByLibrary(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  return verify(signature, message, key, { zip215: false });
}

/** Whether the holder of the public key (32 bytes) has signed the message (signature: 64 bytes). */
export async function isSigned(key: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (key.length !== 32 || signature.length !== 64) return false;
  const own = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer;
  try {
    const imported = await crypto.subtle.importKey("raw", own(key), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", imported, own(signature), own(message));
  } catch {
    return isSignedByLibrary(key, message, signature); // no WebCrypto, none with Ed25519, or no key
  }
}
