/**
 * Commands that must not get lost when the network does: kept in local storage, sent in order, again under the same id,
 * until the server has answered. Pure of any page; storage and sending are given.
 */

import type { Command } from "./generated/types";

export interface Letter {
  command_id: string;
  command: Command;
}

export type Answer = { kind: "taken" } | { kind: "refused"; code: string; detail: string; params: Record<string, unknown> } | { kind: "unreachable" };

export interface Box {
  load(): string | null;
  save(text: string): void;
  send(letter: Letter): Promise<Answer>;
}

export class Outbox {
  private busy = false;

  constructor(
    private readonly box: Box,
    private readonly onChange: (waiting: readonly Letter[]) => void,
    private readonly onRefused: (letter: Letter, answer: Answer & { kind: "refused" }) => void,
  ) {}

  get waiting(): Letter[] {
    try {
      const kept: unknown = JSON.parse(this.box.load() ?? "[]");
      return Array.isArray(kept) ? (kept as Letter[]) : [];
    } catch {
      return [];
    }
  }

  async post(letter: Letter): Promise<void> {
    this.keep([...this.waiting, letter]);
    await this.flush();
  }

  /** Sends what waits, oldest first; stops at the first letter the server cannot be reached for. */
  async flush(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      for (let letter = this.waiting[0]; letter !== undefined; letter = this.waiting[0]) {
        const answer = await this.box.send(letter);
        if (answer.kind === "unreachable") return;
        const id = letter.command_id;
        this.keep(this.waiting.filter((other) => other.command_id !== id));
        if (answer.kind === "refused") this.onRefused(letter, answer);
      }
    } finally {
      this.busy = false;
    }
  }

  private keep(letters: Letter[]): void {
    this.box.save(JSON.stringify(letters));
    this.onChange(letters);
  }
}

/** POST to the commands address of a game. Anything that is not a clear answer counts as unreachable. */
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
