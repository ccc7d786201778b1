/**
 * Verifies a championship's file in the browser: the chain of hashes, the seals and the cards.
 * docs/verify/puur_verify.py checks everything else: draws, byes, totals, rankings, acts of officials
 * (docs/adr/0017). Uses no DOM.
 */

import { Unusable, unhex } from "./file/bytes";
import { checkCheckpoints, checkWitness } from "./checkpoints";
import { checkDecks } from "./decks";
import { Export } from "./file/export";
import type { Report } from "./report";
import { readRounds } from "./round_log";
import { readStreams } from "./file/streams";

export { Unusable };
export type { Report };

/** `witness`: the words of a sheet or its QR code's text; `keys`: public keys in hex. Throws Unusable. */
export async function verify(data: Uint8Array, witness = "", keys: readonly string[] = []): Promise<Report> {
  try {
    for (const key of keys) unhex(key, 32);
    const file = await Export.open(data);
    const { report } = file;
    await file.checkManifest(keys);
    const streams = await readStreams(file);
    const found = await checkCheckpoints(file, streams, keys);
    if (witness.trim()) checkWitness(report, witness, found);
    const championships = [...streams.values()].filter((stream) => stream.kind === "championship");
    if (championships.length !== 1 || championships[0]!.id !== file.championship) throw new Unusable("verify.no_championship");
    checkDecks(report, streams, readRounds(report, streams));
    return report;
  } catch (error) {
    if (error instanceof Unusable) throw error;
    throw new Unusable("verify.unreadable", { why: String(error) });
  }
}
