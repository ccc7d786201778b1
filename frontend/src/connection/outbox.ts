/**
 * A persistent outbox of commands: stored in local storage, sent in order, and resent under the same id until the
 * server has answered. Independent of any page; storage and sending are injected.
 */

import type { Command } from "../generated/types";

export interface QueuedCommand {
  command_id: string;
  command: Command;
}

export type Answer = { kind: "taken" } | { kind: "refused"; code: string; detail: string; params: Record<string, unknown> } | { kind: "unreachable" };

export interface QueueStorage {
  load(): string | null;
  save(text: string): void;
}

/** The stored commands, oldest first; several windows may share the storage. */
export class CommandQueue {
  constructor(private readonly storage: QueueStorage) {}

  get waiting(): QueuedCommand[] {
    try {
      const kept: unknown = JSON.parse(this.storage.load() ?? "[]");
      return Array.isArray(kept) ? (kept as QueuedCommand[]) : [];
    } catch {
      return [];
    }
  }

  add(queued: QueuedCommand): void {
    const others = this.waiting.filter((other) => other.command_id !== queued.command_id);
    this.storage.save(JSON.stringify([...others, queued]));
  }

  remove(id: string): void {
    this.storage.save(JSON.stringify(this.waiting.filter((other) => other.command_id !== id)));
  }
}

export interface OutboxBackend extends QueueStorage {
  send(queued: QueuedCommand): Promise<Answer>;
  /** Run the work while no other window of this table does. */
  exclusively(work: () => Promise<void>): Promise<void>;
}

export class Outbox {
  readonly #queue: CommandQueue;
  #busy = false;

  constructor(
    private readonly backend: OutboxBackend,
    private readonly onChange: () => void,
    private readonly onRefused: (queued: QueuedCommand, answer: Answer & { kind: "refused" }) => void,
  ) {
    this.#queue = new CommandQueue(backend);
  }

  get waiting(): QueuedCommand[] {
    return this.#queue.waiting;
  }

  async enqueue(queued: QueuedCommand): Promise<void> {
    this.#queue.add(queued);
    this.onChange();
    await this.flush();
  }

  /** Remove and return the matching waiting commands; empty if they were sent. */
  async takeBack(matches: (queued: QueuedCommand) => boolean): Promise<QueuedCommand[]> {
    const removed: QueuedCommand[] = [];
    await this.backend.exclusively(async () => {
      for (const queued of this.waiting.filter(matches)) {
        this.#queue.remove(queued.command_id);
        removed.push(queued);
      }
    });
    this.onChange();
    return removed;
  }

  /** Send the waiting commands, oldest first; stop when the server is unreachable. */
  async flush(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      await this.backend.exclusively(() => this.#sendAll());
    } finally {
      this.#busy = false;
    }
  }

  async #sendAll(): Promise<void> {
    for (let queued = this.waiting[0]; queued !== undefined; queued = this.waiting[0]) {
      const answer = await this.backend.send(queued);
      if (answer.kind === "unreachable") return;
      this.#queue.remove(queued.command_id);
      this.onChange();
      if (answer.kind === "refused") this.onRefused(queued, answer);
    }
  }
}

/** POST to the commands URL of a game. Any unclear answer counts as unreachable. */
export async function postCommand(address: string, csrf: string, queued: QueuedCommand): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": csrf },
      body: JSON.stringify(queued),
    });
  } catch {
    return { kind: "unreachable" };
  }
  if (response.ok) return { kind: "taken" };
  if (response.status >= 500 || response.status === 429) return { kind: "unreachable" };
  const body = (await response.json().catch(() => ({}))) as { code?: string; detail?: string; params?: Record<string, unknown> };
  return { kind: "refused", code: body.code ?? `http/${response.status}`, detail: body.detail ?? response.statusText, params: body.params ?? {} };
}
