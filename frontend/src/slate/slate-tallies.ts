/** Game points: a stroke for each win, a 0 for each sack, an apple for each apple. */

import { s } from "../dom";

/** `Ø`: a sack that a later win has crossed out. */
export type Mark = "I" | "0" | "Ø" | "apple";
export type Tallied = "strokes" | "sacks" | "apples";

/**
 * The marks of a side after a row of scores, in the order written. A loss is a 0, which the stroke of the next win
 * crosses out, or an apple, which stays.
 */
export function marksOf(scores: readonly (number | null)[], kind: Tallied = "strokes"): Mark[] {
  const marks: Mark[] = [];
  for (const score of scores) {
    for (let left = score ?? 0; left > 0; left -= 1) {
      const open = marks.indexOf("0");
      if (open >= 0) marks[open] = "Ø";
      else marks.push("I");
    }
    for (let left = score ?? 0; left < 0; left += 1) marks.push(kind === "apples" ? "apple" : "0");
  }
  return marks;
}

const HEIGHT = 44;
const LEFT = 14;

/** Strokes in fives, zeros and apples to their right. */
export function drawTallies(marks: readonly Mark[], label: string): SVGSVGElement {
  const drawing = s("svg", { class: "slate-drawing tallies", viewBox: `0 0 300 ${HEIGHT}`, role: "img", "aria-label": label });
  const strokes = marks.filter((mark) => mark === "I").length;
  const others = marks.filter((mark) => mark !== "I");
  const step = Math.min(12, (286 - LEFT - others.length * 26) / Math.max(1, strokes));
  let x = LEFT;
  for (let index = 0; index < strokes; index += 1) {
    const across = index % 5 === 4;
    drawing.append(s("path", { class: "stroke", d: across ? `M${x - 4.5 * step} 33L${x - 0.5 * step} 11` : `M${x + (index % 3) - 1} 9L${x - (index % 2)} 35` }));
    x += across ? step * 0.9 : step;
  }
  x = Math.max(x + 14, 30);
  for (const mark of others) {
    drawing.append(...(mark === "apple" ? apple(x) : sack(x, mark === "Ø")));
    x += 26;
  }
  return drawing;
}

function sack(x: number, crossed: boolean): SVGElement[] {
  const zero = s("ellipse", { class: "stroke", cx: x, cy: 22, rx: 8, ry: 12 });
  return crossed ? [zero, s("path", { class: "stroke", d: `M${x + 1} 6L${x - 1} 38` })] : [zero];
}

function apple(x: number): SVGElement[] {
  return [
    s("path", { class: "stroke", d: `M${x} 17c-5 -5 -11 -1 -10 6c1 7 5 12 10 10c5 2 9 -3 10 -10c1 -7 -5 -11 -10 -6` }),
    s("path", { class: "stroke", d: `M${x} 17q0 -6 4 -9` }),
  ];
}
