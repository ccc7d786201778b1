/**
 * A championship's file verified: the same checks as docs/verify/puur_verify.py, written a second time. Knows no page, so
 * that it can be tried on forged files outside of a browser.
 */

import { Unusable, unhex } from "./file/bytes";
import { checkCheckpoints, checkWitness } from "./checkpoints";
import { checkDecks } from "./decks";
import { checkDraws } from "./seats/draws";
import { checkEvents } from "./events";
import { Export } from "./file/export";
import { checkGames } from "./games";
import { checkRankings } from "./rankings";
import type { Report } from "./report";
import { readRounds } from "./story";
import { readStreams } from "./file/streams";
import { Tables, checkNames, checkReceipts, checkTables } from "./tables";
import { checkTime } from "./times";

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
    const own = streams.get(file.championship);
    const championships = [...streams.values()].filter((stream) => stream.kind === "championship");
    if (own === undefined || championships.length !== 1 || championships[0] !== own) throw new Unusable("verify.no_championship");
    checkEvents(report, streams);
    const tables = await Tables.of(file);
    const rounds = readRounds(report, streams, tables.rows("round"));
    const checks: (() => void | Promise<void>)[] = [
      () => checkDecks(report, streams, rounds),
      () => checkTables(file, tables, streams, rounds, own.events),
      () => checkGames(report, streams),
      () => checkRankings(report, tables, streams, rounds, own.events),
      () => checkReceipts(file, streams),
      () => checkTime(report, streams, found),
      () => checkNames(file, tables),
      () => checkDraws(report, tables, rounds, own.events),
    ];
    for (const check of checks) {
      try {
        await check();
      } catch (error) {
        report.broken("", error);
      }
    }
    return report;
  } catch (error) {
    if (error instanceof Unusable) throw error;
    throw new Unusable("verify.unreadable", { why: String(error) });
  }
}
