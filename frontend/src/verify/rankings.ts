/** Published rankings: the ones whose hashes stand in the log, counted from the number that was sealed. */

import { compact, hex, list, text, unhex, whole, type Json, type JsonObject } from "./bytes";
import { Chance } from "./chance";
import type { Report } from "./report";
import { sha256 } from "./sha2";
import type { StoredEvent, Streams } from "./streams";

export type Rows = (table: string) => JsonObject[];

/** `rows`: the tables beside the log; `own`: the events of the championship. */
export function checkRankings(report: Report, streams: Streams, own: readonly StoredEvent[], rows: Rows): void {
  const published = new Map<Json | undefined, Json | undefined>();
  for (const { type, body } of own) if (type === "standings_published") published.set(body["version"], body["digest"]);
  const { rounds, sealed } = sealedNumber(streams, own, rows);
  const snapshots = rows("standingssnapshot");
  for (const n of published.keys()) if (!snapshots.some((one) => one["version"] === n)) report.differs("", "verify.ranking_gone", { n });
  for (const snapshot of snapshots) {
    const version = snapshot["version"];
    if (published.get(version) !== hex(sha256(compact(snapshot["rows"])))) {
      report.differs("", "verify.ranking", { n: version });
      continue;
    }
    const known = sealed !== null && snapshot["after_round"] === rounds;
    const counts = (row: Json): boolean => {
      const { off, total } = row as JsonObject;
      return off === (known ? Math.abs(whole(total) - sealed) : null);
    };
    if (!list(snapshot["rows"]).every(counts)) report.differs("", "verify.sealed_number", { n: version });
  }
  report.check("verify.checked_rankings", { n: snapshots.length });
  if (sealed !== null) report.check("verify.checked_sealed", { n: sealed });
}

/** How many rounds there are, and the number to come near to, where there is one and it is revealed. */
function sealedNumber(streams: Streams, own: readonly StoredEvent[], rows: Rows): { rounds: number; sealed: number | null } {
  const frozen = own.filter((event) => event.type === "regulations_frozen").map((event) => event.body["version"]);
  const set = own.filter((event) => event.type === "regulations_set" && frozen.includes(event.body["version"])).at(-1);
  const regulations = set?.body["regulations"] as JsonObject | undefined;
  const counting = regulations?.["counting"] as JsonObject | undefined;
  const rounds = whole(regulations?.["rounds"] ?? 0);
  if (counting?.["what"] !== "nearest") return { rounds, sealed: null };
  const last = rows("round").filter((row) => row["number"] === rounds);
  const told = last.flatMap((row) => streams.get(text(row["stream"]))?.events ?? []);
  const revealed = told.find((event) => event.type === "seed_revealed");
  if (revealed === undefined) return { rounds, sealed: null };
  const entropy = told.filter((event) => event.type === "entropy_added").map((event) => text(event.body["entropy"]));
  const least = whole(counting["least"]);
  const span = whole(counting["most"]) - least + 1;
  const stream = new Chance(unhex(revealed.body["seed"], 32), entropy).bytes("sealed", 1, 0);
  for (;;) {
    const pair = 256 * stream.next().value + stream.next().value;
    if (pair < 65_536 - (65_536 % span)) return { rounds, sealed: least + (pair % span) };
  }
}
