/**
 * A championship's file verified: the same checks as docs/verify/puur_verify.py, written a second time. Knows no page, so
 * that it can be tried on forged files outside of a browser.
 */

import { Unusable, type JsonObject } from "./verify/bytes";
import { checkCheckpoints, checkWitness } from "./verify/checkpoints";
import { checkDraws } from "./verify/draws";
import { Export } from "./verify/export";
import { checkRankings } from "./verify/rankings";
import type { Report } from "./verify/report";
import { checkRounds } from "./verify/rounds";
import { readStreams } from "./verify/streams";

export { Unusable };
export type { Report };

/** `witness`: the words of a sheet or its QR code's text; `keys`: public keys in hex. Throws Unusable. */
export async function verify(data: Uint8Array, witness = "", keys: readonly string[] = []): Promise<Report> {
  try {
    const file = await Export.open(data);
    await file.checkManifest(keys);
    const streams = await readStreams(file);
    const found = await checkCheckpoints(file, streams, keys);
    if (witness.trim()) checkWitness(file.report, witness, found);
    checkRounds(file.report, streams);
    const [tables] = (await file.lines("championship.json")) as (JsonObject | undefined)[];
    const rows = (table: string): JsonObject[] => (tables?.[table] ?? []) as JsonObject[];
    checkRankings(file.report, streams, streams.get(file.championship)?.events ?? [], rows);
    checkDraws(file.report, streams, rows("round"));
    return file.report;
  } catch (error) {
    if (error instanceof Unusable) throw error;
    throw new Unusable("verify.unreadable", { why: String(error) });
  }
}
