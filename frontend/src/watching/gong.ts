/** The gong at the end of a round on a projector: when it rings, and how it sounds. */

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
export function strike(audio: AudioContext): void {
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
