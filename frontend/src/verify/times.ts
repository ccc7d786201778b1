/** Clocks may be wrong: whatever is dated strangely is said, and is no difference. */

import { whole } from "./file/bytes";
import type { Sealed } from "./checkpoints";
import type { Report } from "./report";
import type { Streams } from "./file/streams";

/** Ten minutes before a moment, as the log writes it. */
const earlier = (moment: string): string => new Date(Date.parse(moment) - 600_000).toISOString().replace("Z", moment.slice(23));

export function checkTime(report: Report, streams: Streams, found: readonly Sealed[]): void {
  for (const { kind, id, events } of streams.values()) {
    const back = events.findIndex(({ recordedAt }, seq) => seq > 0 && recordedAt < events[seq - 1]!.recordedAt);
    if (back >= 0) report.note("verify.time_back", { stream: `${kind} ${id}`, seq: back });
  }
  let before: Sealed | null = null;
  for (const one of found) {
    if (before !== null && one.madeAt < before.madeAt) report.note("verify.time_checkpoint", { n: one.number });
    for (const [id, seq] of Object.entries(one.heads)) {
      const { kind, events } = streams.get(id)!;
      const fresh = events.slice(before === null ? 0 : whole(before.heads[id] ?? -1) + 1, whole(seq) + 1);
      const dated = fresh.map(({ recordedAt }) => recordedAt).sort();
      if (!dated.length) continue;
      if ((before !== null && dated[0]! < earlier(before.madeAt)) || earlier(dated.at(-1)!) > one.madeAt) {
        report.note("verify.time_sealed", { n: one.number, stream: `${kind} ${id}` });
        break;
      }
    }
    before = one;
  }
}
