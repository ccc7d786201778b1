/**
 * A persistent outbox of commands: stored in local storage, sent in order, and resent under the same id until the
 * server has answered. Independent of any page; storage and sending are injected.
 */

import type { Command } from "../generated/types";

export interface Letter {
  command_id: string;
  command: Command;
}

export type Answer = { kind: "taken" } | { kind: "refused"; code: string; detail: string; params: Record<string, unknown> } | { kind: "unreachable" };

export interface Shelf {
  load(): string | null;
  save(text: string): void;
}

/** The stored letters, oldest first; several windows may share the storage. */
export class Letters {
  constructor(private readonly shelf: Shelf) {}

  get waiting(): Letter[] {
    try {
      const kept: unknown = JSON.parse(this.shelf.load() ?? "[]");
      return Array.isArray(kept) ? (kept as Letter[]) : [];
    } catch {
      return [];
    }
  }

  add(letter: Letter): void {
    const others = this.waiting.filter((other) => other.command_id !== letter.command_id);
    this.shelf.save(JSON.stringify([...others, letter]));
  }

  remove(id: string): void {
    this.shelf.save(JSON.stringify(this.waiting.filter((other) => other.command_id !== id)));
  }
}

export interface Box extends Shelf {
  send(letter: Letter): Promise<Answer>;
  /** Run the work while no other window of this table does. */
  alone(work: () => Promise<void>): Promise<void>;
}

export class Outbox {
  readonly #letters: Letters;
  #busy = false;

  constructor(
    private readonly box: Box,
    private readonly onChange: () => void,
    private readonly onRefused: (letter: Letter, answer: Answer & { kind: "refused" }) => void,
  ) {
    this.#letters = new Letters(box);
  }

  get waiting(): Letter[] {
    return this.#letters.waiting;
  }

  async post(letter: Letter): Promise<void> {
    this.#letters.add(letter);
    this.onChange();
    await this.flush();
  }

  /** Remove and return the waiting letters that are meant; empty if they were sent. */
  async takeBack(isMeant: (letter: Letter) => boolean): Promise<Letter[]> {
    const found: Letter[] = [];
    await this.box.alone(async () => {
      for (const letter of this.waiting.filter(isMeant)) {
        this.#letters.remove(letter.command_id);
        found.push(letter);
      }
    });
    this.onChange();
    return found;
  }

  /** Send the waiting letters, oldest first; stop when the server is unreachable. */
  async flush(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      await this.box.alone(() => this.#sendAll());
    } finally {
      this.#busy = false;
    }
  }

  async #sendAll(): Promise<void> {
    for (let letter = this.waiting[0]; letter !== undefined; letter = this.waiting[0]) {
      const answer = await this.box.send(letter);
      if (answer.kind === "unreachable") return;
      this.#letters.remove(letter.command_id);
      this.onChange();
      if (answer.kind === "refused") this.onRefused(letter, answer);
    }
  }
}

/** POST to the commands URL of a game. Any unclear answer counts as unreachable. */
export async function postCommand(address: string, csrf: string, letter: Letter): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": csrf },
      body: JSON.stringify(letter),
    });
  } catch {
    return { kind: "unreachable" };
  }
  if (response.ok) return { kind: "taken" };
  if (response.status >= 500 || response.status === 429) return { kind: "unreachable" };
  const body = (await response.json().catch(() => ({}))) as { code?: string; detail?: string; params?: Record<string, unknown> };
  return { kind: "refused", code: body.code ?? `http/${response.status}`, detail: body.detail ?? response.statusText, params: body.params ?? {} };
}
