/** Refused results: they stay on this device until they are changed or dropped, lowest deal first, and are hidden from another person. */

import type { CorrectResult, EnterResult } from "../generated/types";
import { remember, remembered } from "../connection/device-storage";
import type { Field } from "./score-entry";

export interface Refused {
  command: EnterResult | CorrectResult;
  fields: readonly Field[];
  code: string;
  why: string;
}

export class RefusedResults {
  constructor(private readonly game: string) {}

  get all(): Refused[] {
    const kept = remembered<unknown>("aside", this.game);
    return Array.isArray(kept) ? (kept as Refused[]) : [];
  }

  put(refused: Refused): void {
    const others = this.all.filter(({ command }) => command.deal !== refused.command.deal);
    remember("aside", this.game, [...others, refused].sort((a, b) => a.command.deal - b.command.deal));
  }

  take(): Refused | null {
    const [first, ...rest] = this.all;
    if (first === undefined) return null;
    remember("aside", this.game, rest.length === 0 ? null : rest);
    return first;
  }
}
