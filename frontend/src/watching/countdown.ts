/**
 * The remaining time of a round on a projector, and a gong at its end. The gong needs a previous tap on the page,
 * because browsers block earlier sounds.
 */

/** The remaining time, "12:05" or "1:02:05"; zero once it is over. */
export function timeLeft(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  const two = (n: number): string => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}

/** Whether an end has come since the last check. An end that had passed when first seen rings no gong, nor does a postponed one. */
export class Ends {
  #until = NaN;
  #running = false;

  pass(until: number, now: number): boolean {
    const ended = until === this.#until && this.#running && now >= until;
    this.#until = until;
    this.#running = now < until;
    return ended;
  }
}

/** Three decaying partials of a bell. */
function strike(audio: AudioContext): void {
  const now = audio.currentTime;
  for (const [hertz, loud] of [[196, 0.5], [392, 0.3], [523, 0.15]] as const) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(loud, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + 2.5);
    tone.connect(volume).connect(audio.destination);
    tone.start(now);
    tone.stop(now + 2.5);
  }
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
