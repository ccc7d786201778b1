/** Checks, differences and notes. `what` is a key of the page's words. */

import { Unusable } from "./file/bytes";

export interface Finding {
  where: string;
  what: string;
  params: Record<string, unknown>;
}

export class Report {
  readonly checked: Finding[] = [];
  readonly notes: Finding[] = [];
  readonly differences: Finding[] = [];

  check(what: string, params: Record<string, unknown> = {}): void {
    this.checked.push({ where: "", what, params });
  }

  note(what: string, params: Record<string, unknown> = {}): void {
    this.notes.push({ where: "", what, params });
  }

  differs(where: string, what: string, params: Record<string, unknown> = {}): void {
    this.differences.push({ where, what, params });
  }

  /** Report an error of the check as a difference. */
  broken(where: string, error: unknown): void {
    if (error instanceof Unusable) this.differs(where, error.what, error.params);
    else this.differs(where, "verify.unreadable", { why: String(error) });
  }
}
