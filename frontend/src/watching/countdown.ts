/**
 * The remaining time of a round on a projector; `gong.ts` rings at its end. The gong needs a previous tap on the
 * page, because browsers block earlier sounds.
 */

import { Ends, strike } from "./gong";

/** The remaining time, "12:05" or "1:02:05"; zero once it is over. */
export function timeLeft(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  const two = (n: number): string => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}

/** `[data-until]` is queried each time, because htmx replaces the page's parts. */
export function countDown(): void {
  const ends = new Ends();
  let audio: AudioContext | null = null;
  let ahead = 0;
  const touched = (): void => {
    audio ??= new AudioContext();
    void audio.resume();
    look();
  };
  function look(): void {
    const at = document.querySelector<HTMLElement>("[data-until]");
    if (at === null) return;
    const until = Date.parse(at.dataset["until"] ?? "");
    const now = Date.now() + ahead;
    const shown = timeLeft(until, now);
    if (at.textContent !== shown) at.textContent = shown;
    const hint = document.querySelector<HTMLElement>("[data-gong]");
    if (hint) hint.hidden = audio !== null || now >= until;
    if (ends.pass(until, now) && audio !== null) strike(audio);
  }
  document.addEventListener("pointerdown", touched);
  document.addEventListener("keydown", touched);
  // The clock of the projector's machine may be wrong: the server's clock counts.
  document.addEventListener("htmx:afterRequest", (event) => {
    const { xhr } = (event as CustomEvent<{ xhr?: XMLHttpRequest }>).detail;
    const said = Date.parse(xhr?.getResponseHeader("Date") ?? "");
    if (Math.abs(said - Date.now() - ahead) > 2000) ahead = said - Date.now();
  });
  document.addEventListener("htmx:afterSettle", look);
  setInterval(look, 250);
  look();
}
