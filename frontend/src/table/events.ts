/** What comes over the wire. The types are the engine's, and generated; here is what a page reads of them. */

import type { Command, ResultCorrected, ResultEntered } from "../generated/types";

export type { Command, Declared, EventsFrame, Frame, GameEvent, HeartbeatFrame, Prompt, ResyncFrame, RulingMade, Shown } from "../generated/types";

/** As much as is sure of any event, also of one that a later server sends. */
export interface EventBase {
  seq: number;
  type: string;
}

/** A result on the sheet, whether written or corrected. */
export type ResultFields = Omit<ResultEntered | ResultCorrected, "type" | "seq">;

/** A command of a seat, whoever's it is. */
export type Said = Command extends infer C ? (C extends { seat: number } ? Omit<C, "seat"> : never) : never;
