/** A figure that counts from what it was to what it is. */

import { calm } from "./dom";

const LASTS = 900;

export class Count {
  private from = 0;
  private to = 0;
  private began = -LASTS;

  /** `live`: it comes about before one's eyes. */
  set(figure: number, live: boolean): void {
    if (figure === this.to) return;
    this.from = live && !calm() ? this.now : figure;
    this.to = figure;
    this.began = performance.now();
  }

  get counting(): boolean {
    return this.from !== this.to && performance.now() - this.began < LASTS;
  }

  get now(): number {
    const part = Math.min(1, (performance.now() - this.began) / LASTS);
    return Math.round(this.from + (this.to - this.from) * part);
  }
}
