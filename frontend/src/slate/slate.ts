/**
 * The marks on one half of the slate after a row of entries: hundreds on top, fifties in the middle, twenties below,
 * the rest as figures. Figures become a stroke at twenty and are crossed out. A single entry of 500 or 1000 is a V
 * or an X.
 */

export interface Rest {
  value: number;
  crossed: boolean;
}

export interface Slate {
  /** Top line: strokes of a hundred, V of five hundred, X of a thousand, in the order written. */
  hundreds: ("I" | "V" | "X")[];
  fifties: number;
  twenties: number;
  rests: Rest[];
}

const WORTH = { I: 100, V: 500, X: 1000 } as const;

export function chalk(entries: readonly number[]): Slate {
  const slate: Slate = { hundreds: [], fifties: 0, twenties: 0, rests: [] };
  for (const entry of entries) write(slate, entry);
  return slate;
}

function write(slate: Slate, entry: number): void {
  if (entry < 0) {
    addRest(slate, entry);
    return;
  }
  let left = entry;
  for (; left >= 1000; left -= 1000) slate.hundreds.push("X");
  for (; left >= 500; left -= 500) slate.hundreds.push("V");
  for (; left >= 100; left -= 100) slate.hundreds.push("I");
  if (left >= 50) {
    slate.fifties += 1;
    left -= 50;
  }
  slate.twenties += Math.floor(left / 20);
  if (left % 20 !== 0) addRest(slate, left % 20);
}

function addRest(slate: Slate, value: number): void {
  slate.rests.push({ value, crossed: false });
  const sum = slate.rests.reduce((total, rest) => total + (rest.crossed ? 0 : rest.value), 0);
  if (sum < 20) return;
  for (const rest of slate.rests) rest.crossed = true;
  slate.twenties += Math.floor(sum / 20);
  if (sum % 20 !== 0) slate.rests.push({ value: sum % 20, crossed: false });
}

/** The visible figures, the latest first: all current ones, and crossed-out ones while there is room. */
export function figuresOf(slate: Slate, room: number): Rest[] {
  let spare = room - slate.rests.filter(({ crossed }) => !crossed).length;
  return [...slate.rests].reverse().filter(({ crossed }) => !crossed || spare-- > 0);
}

/** The total value of all marks. */
export function total(slate: Slate): number {
  const top = slate.hundreds.reduce((sum, mark) => sum + WORTH[mark], 0);
  const rests = slate.rests.reduce((sum, rest) => sum + (rest.crossed ? 0 : rest.value), 0);
  return top + slate.fifties * 50 + slate.twenties * 20 + rests;
}
