/** The payments at the end of a game, in words. Pure. */

import { say } from "../page";

/** `parts`: payments per unit; positive: the side pays. */
export function paid(payment: number, parts: number): string {
  const amount = (Math.abs(payment) / parts).toFixed(2).replace(/\.00$/, "");
  return payment === 0 ? say("slate.even") : say(payment > 0 ? "slate.pays" : "slate.receives", { amount });
}
