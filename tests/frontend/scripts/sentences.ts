/** A page's sentence for each event, for tests/frontend/test_commentary.py. */

import { describe } from "../../../frontend/src/watching/commentary";
import type { EventBase } from "../../../frontend/src/table/events";
import { type Page, useWords, type Words } from "../../../frontend/src/page";
import { EMPTY, reduce } from "../../../frontend/src/table/table";

interface Asked {
  words: Words;
  names: string[];
  by_card: string[];
  events: EventBase[];
}

export function sentencesOf(asked: Asked): (string | null)[] {
  useWords(asked.words);
  const page = { names: asked.names, rules: { by_card: asked.by_card } } as unknown as Page;
  let table = EMPTY;
  return asked.events.map((event) => {
    table = reduce(table, event);
    return describe(table, event, page, "ch")?.text ?? null;
  });
}
