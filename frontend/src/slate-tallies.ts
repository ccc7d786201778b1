/** Sticks, tallies and apples: strokes for game points won, a 0 for one lost, which the next win crosses off. */

import { s } from "./dom";

export type Mark = "I" | "0" | "Ø";

/** Whether what deals count are single game points, beside the points of their cards. */
export function countsGamePoints(rows: readonly { scores: readonly (number | null)[]; cardPoints: readonly (number | null)[] }[]): boolean {
  const single = (score: number | null, points: number | null): boolean => {
    if (score === null || score === 0 || Math.abs(score) > 9) return false;
    return score < 0 || points === null || points === 0 || score < points;
  };
  const small = rows.every((row) => row.scores.every((score) => score === null || Math.abs(score) <= 9));
  return small && rows.some((row) => row.scores.some((score, side) => single(score, row.cardPoints[side] ?? null)));
}

/** The marks of a side after a row of scores: each 0 is crossed off by the stroke of a later win. */
export function marksOf(scores: readonly (number | null)[]): Mark[] {
  const marks: Mark[] = [];
  for (const score of scores) {
    for (let left = score ?? 0; left > 0; left -= 1) {
      const open = marks.indexOf("0");
      if (open < 0) marks.push("I");
      else marks[open] = "Ø";
    }
    for (let left = score ?? 0; left < 0; left += 1) marks.push("0");
  }
  return marks;
}

const HEIGHT = 44;

/** Strokes in fives, zeros to their right. */
export function drawTallies(marks: readonly Mark[], label: string): SVGSVGElement {
  const drawing = s("svg", { class: "slate-drawing tallies", viewBox: `0 0 300 ${HEIGHT}`, role: "img", "aria-label": label });
  const strokes = marks.filter((mark) => mark === "I").length;
  const step = Math.min(12, 200 / Math.max(1, strokes));
  let x = 14;
  for (let index = 0; index < strokes; index += 1) {
    const across = index % 5 === 4;
    drawing.append(s("path", { class: "stroke", d: across ? `M${x - 4.6 * step} 33L${x - 0.4 * step} 11` : `M${x + (index % 3) - 1} 9L${x - (index % 2)} 35` }));
    x += across ? step * 0.9 : step;
  }
  x = Math.max(x + 16, 40);
  for (const mark of marks) {
    if (mark === "I") continue;
    drawing.append(s("ellipse", { class: "stroke", cx: x, cy: 22, rx: 8, ry: 12 }));
    if (mark === "Ø") drawing.append(s("path", { class: "stroke", d: `M${x + 1} 6L${x - 1} 38` }));
    x += 26;
  }
  return drawing;
}
