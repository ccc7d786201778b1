/** The messages of the socket. Their types are generated from the engine; this module has the parts that pages read. */

import type { Command, ResultCorrected, ResultEntered } from "../generated/types";

export type { Command, Declared, EventsFrame, Frame, GameEvent, HeartbeatFrame, Prompt, ResyncFrame, RulingMade, Shown } from "../generated/types";

/** The common part of all events, also of a newer server. */
export interface EventBase {
  seq: number;
  type: string;
}

/** A result on the sheet, entered or corrected. */
export type ResultFields = Omit<ResultEntered | ResultCorrected, "type" | "seq">;

/** A command of any seat. */
export type Said = Command extends infer C ? (C extends { seat: number } ? Omit<C, "seat"> : never) : never;
