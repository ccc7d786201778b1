/** A preview of a result's score, computed by the server while it is typed; nothing is stored. */

import type { Command, ResultFields } from "../table/events";
import { type Page, say, signed } from "../page";
import { sayError } from "../connection/refusals";
import type { Table } from "../table/table";

const TYPING_PAUSE_MS = 250;

export interface Line {
  text: string;
  wrong: boolean;
  /** The reason for a refusal. */
  code: string;
}

export class Preview {
  #timer = 0;
  #asked = "";
  #onItsWay = new AbortController();

  constructor(
    private readonly page: Page,
    private readonly show: (line: Line | null) => void,
  ) {}

  /** Preview the current result; null: incomplete. Without a network nothing is shown. */
  ask(command: Command | null, table: Table, nameOf: (side: number) => string): void {
    const asked = command === null ? "" : JSON.stringify([command, table.seq]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    window.clearTimeout(this.#timer);
    this.#onItsWay.abort(); // the preview is outdated: the deal may already be entered
    this.#onItsWay = new AbortController();
    if (command === null) {
      this.show(null);
      return;
    }
    this.#timer = window.setTimeout(() => {
      void this.#answer(command, nameOf).then((line) => {
        if (this.#asked === asked) this.show(line);
      });
    }, TYPING_PAUSE_MS);
  }

  async #answer(command: Command, nameOf: (side: number) => string): Promise<Line | null> {
    try {
      const response = await fetch(this.page.sheet, {
        method: "POST",
        signal: this.#onItsWay.signal,
        headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": this.page.csrf },
        body: JSON.stringify({ command_id: "preview", command }),
      });
      const body = (await response.json()) as { events?: ResultFields[]; code?: string; detail?: string; params?: Record<string, unknown> };
      const scores = body.events?.[0]?.scores;
      if (scores === undefined) return { text: sayError(body.code ?? "", body.detail ?? "", body.params ?? {}), wrong: true, code: body.code ?? "" };
      return { text: say("sheet.counts", { scores: scores.map((score, side) => `${nameOf(side)} ${signed(score)}`).join(", ") }), wrong: false, code: "" };
    } catch {
      return null;
    }
  }
}
