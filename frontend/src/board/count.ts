/** A number that counts up to its new value. */

import { calm } from "../dom";

export class Count {
  #from = 0;
  #to = 0;
  #began = -Infinity;

  /** `lasts`: milliseconds. */
  constructor(private readonly lasts = 900) {}

  /** `live`: animate the change. */
  set(figure: number, live: boolean): void {
    if (figure === this.#to) return;
    this.#from = live && !calm() ? this.now : figure;
    this.#to = figure;
    this.#began = performance.now();
  }

  get counting(): boolean {
    return this.#from !== this.#to && performance.now() - this.#began < this.lasts;
  }

  get now(): number {
    const part = Math.min(1, (performance.now() - this.#began) / this.lasts);
    return Math.round(this.#from + (this.#to - this.#from) * part);
  }
}
