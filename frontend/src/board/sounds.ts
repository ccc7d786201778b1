/** Sounds and vibrations of a table, if enabled. Tones are synthesized: no file to load. */

import type { EventBase } from "../table/events";
import { wished } from "./table-preferences";

export type Signal = "card" | "trick" | "turn" | "time";

/** Of each tone: hertz and seconds. */
const TONES: Record<Signal, readonly (readonly [number, number])[]> = {
  card: [[196, 0.06]],
  trick: [[294, 0.08], [220, 0.12]],
  turn: [[523, 0.12], [659, 0.2]],
  time: [[880, 0.09], [880, 0.09], [880, 0.09]],
};
const FELT: Partial<Record<Signal, number[]>> = { turn: [60], time: [60, 80, 60] };
const LOUD = 0.12;

let sounds: AudioContext | null = null;

/** The most important signal of the new events. */
export function signalOf(fresh: readonly EventBase[], turnBegan: boolean): Signal | null {
  if (turnBegan) return "turn";
  const types = fresh.map((event) => event.type);
  if (types.includes("trick_taken")) return "trick";
  return types.includes("card_played") ? "card" : null;
}

export function give(signal: Signal | null): void {
  if (signal === null) return;
  if (wished("sound")) sound(TONES[signal]);
  const pattern = FELT[signal];
  if (pattern !== undefined && wished("vibration") && "vibrate" in navigator) navigator.vibrate(pattern);
}

function sound(tones: readonly (readonly [number, number])[]): void {
  sounds ??= new AudioContext();
  void sounds.resume(); // browsers let a page sound only after a tap
  let at = sounds.currentTime;
  for (const [hertz, seconds] of tones) {
    const [tone, volume] = [sounds.createOscillator(), sounds.createGain()];
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(LOUD, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(volume).connect(sounds.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds;
  }
}

/** The last known turn, so that a turn begins once. */
export class Turns {
  #mine = false;

  /** Whether the viewer's turn has just begun. */
  began(mine: boolean): boolean {
    const began = mine && !this.#mine;
    this.#mine = mine;
    return began;
  }
}
