/**
 * One half of the slate as an SVG: the painted Z, hundreds on its top line, fifties climbing its middle, twenties on
 * its low line, the rest as figures beside it. Strokes are slightly irregular, always the same for the same sum;
 * long rows are drawn closer together.
 */

import { s } from "../dom";
import { signed } from "../page";
import { type Slate, figuresOf } from "./slate";

const WIDTH = 300;
const HEIGHT = 104;
const TOP = 24;
const MIDDLE = 57;
const LOW = 90;
const LEFT = 14;
const STEP = 9;
const GROUP = 5;
/** The number of figures side by side at full size; more figures are drawn closer together. */
const FIGURES = 4;
const FIGURES_WIDTH = 160;
/** The number of crosses of two fifties side by side on the middle line. */
const CROSSES = 9;

/** A small fixed irregularity of each stroke: chalk looks drawn by hand, and does not move at a redraw. */
const wobble = (seed: number): number => (((seed * 7919) % 13) - 6) / 4;
const at = (x: number): string => x.toFixed(1);

export function drawSlate(slate: Slate, label: string): SVGSVGElement {
  const drawing = s("svg", { class: "slate-drawing", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  drawing.append(s("path", { class: "rail", d: `M8 ${TOP}H${WIDTH - 8}L8 ${LOW}H${WIDTH - 8}` }));
  const lines = [row(slate.hundreds, TOP), fifties(slate.fifties), row(Array<Mark>(slate.twenties).fill("I"), LOW)];
  for (const d of lines) if (d !== "") drawing.append(s("path", { class: "stroke", d }));
  drawing.append(...rests(slate));
  return drawing;
}

type Mark = Slate["hundreds"][number];

/** Marks from left to right: four strokes and a diagonal make five; V and X are separate. */
function row(marks: readonly Mark[], y: number): string {
  const places: { mark: Mark; x: number; across: boolean; from: number }[] = [];
  let x = 0;
  let run = 0;
  let from = 0;
  for (const mark of marks) {
    if (mark !== "I") {
      x += run % 5 === 0 ? 0 : GROUP;
      places.push({ mark, x, across: false, from: x });
      x += 2 * STEP + GROUP;
      run = 0;
      continue;
    }
    const across = run % 5 === 4;
    if (run % 5 === 0) from = x;
    places.push({ mark, x, across, from });
    x += across ? GROUP + STEP / 2 : STEP;
    run += 1;
  }
  const scale = Math.min(1, (WIDTH - 2 * LEFT) / Math.max(1, x));
  const on = (place: number): number => LEFT + place * scale;
  return places.map((place, index) => strokeOf(place.mark, on(place.x), place.across ? on(place.from) : null, y, index)).join("");
}

function strokeOf(mark: Mark, x: number, from: number | null, y: number, seed: number): string {
  if (mark === "V") return `M${at(x)} ${y - 11}l6 21l6 -21`;
  if (mark === "X") return `M${at(x)} ${y - 11}l13 21m0 -21l-13 21`;
  if (from !== null) return `M${at(from - 3)} ${y + 7}L${at(x - 2)} ${y - 8}`;
  return `M${at(x + wobble(seed))} ${y - 11}L${at(x - wobble(seed + 3))} ${y + 10}`;
}

/** Every second fifty crosses the one before it. They climb the middle of the Z; a second row is beside the first. */
function fifties(count: number): string {
  let path = "";
  for (let index = 0; index < count; index += 1) {
    const pair = Math.floor(index / 2);
    const x = 104 + (pair % CROSSES) * 17 + Math.floor(pair / CROSSES) * 8;
    const y = LOW - 6 - (x - 8) * ((LOW - TOP) / (WIDTH - 16));
    path += index % 2 === 0 ? `M${at(x - 5)} ${at(y - 8)}l10 16` : `M${at(x + 5)} ${at(y - 8)}l-10 16`;
  }
  return path;
}

/**
 * Figures at the right, the latest outermost. All current figures are drawn, in any number; figures that became a
 * stroke are crossed out, and wiped off first.
 */
function rests(slate: Slate): SVGElement[] {
  const figures = figuresOf(slate, FIGURES);
  const step = Math.min(26, FIGURES_WIDTH / figures.length);
  return figures.flatMap((rest, index) => {
    const x = WIDTH - 22 - index * step;
    const text = signed(rest.value);
    const figure = s("text", { class: rest.crossed ? "crossed" : null, x, y: MIDDLE + 14, "text-anchor": "middle" }, text);
    return rest.crossed ? [figure, s("path", { class: "stroke crossed", d: `M${x - 10} ${MIDDLE + 11}L${x + 10} ${MIDDLE + 5}` })] : [figure];
  });
}
