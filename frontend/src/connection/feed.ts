/** Turns frames into a gapless sequence of events. Pure: the state and a frame give the next state, the new events, and whether to ask again. */

import type { EventBase, Frame, Prompt } from "../table/events";
import { EMPTY, reduce, type Table } from "../table/table";

export interface Feed {
  table: Table;
  events: readonly EventBase[];
  prompt: Prompt;
}

export interface Received {
  feed: Feed;
  fresh: readonly EventBase[];
  /** `missing`: ask again from the last held seq; `restart`: drop everything and ask from the beginning. */
  ask: "nothing" | "missing" | "restart";
}

export const NOTHING: Feed = { table: EMPTY, events: [], prompt: {} };

export function receive(feed: Feed, frame: Frame): Received {
  const held = feed.table.seq;
  switch (frame.kind) {
    case "resync":
      return { feed: NOTHING, fresh: [], ask: "restart" };
    case "heartbeat":
      return { feed, fresh: [], ask: frame.seq > held ? "missing" : "nothing" };
    case "events":
      return takeEvents(feed, frame.events, frame);
    default:
      return { feed, fresh: [], ask: "nothing" };
  }
}

function takeEvents(feed: Feed, events: readonly EventBase[], prompt: Prompt): Received {
  const fresh: EventBase[] = [];
  let table = feed.table;
  for (const event of events) {
    if (event.seq <= table.seq) continue;
    if (event.seq > table.seq + 1) {
      return { feed: { table, events: [...feed.events, ...fresh], prompt: feed.prompt }, fresh, ask: "missing" };
    }
    table = reduce(table, event);
    fresh.push(event);
  }
  const last = events[events.length - 1];
  // A late frame without new events has an outdated turn.
  const current = last === undefined || last.seq === table.seq;
  const { turn, legal, why_not, own_commands, beside, forms } = prompt;
  const next: Prompt = {};
  if (turn !== undefined) next.turn = turn;
  if (legal !== undefined) next.legal = legal;
  if (why_not !== undefined) next.why_not = why_not;
  if (own_commands !== undefined) next.own_commands = own_commands;
  if (beside !== undefined) next.beside = beside;
  if (forms !== undefined) next.forms = forms;
  return {
    feed: { table, events: [...feed.events, ...fresh], prompt: current ? next : feed.prompt },
    fresh,
    ask: "nothing",
  };
}
