/** The slate as an SVG: three rails as on wood, strokes of chalk slightly out of true, always the same for the same sum. */

import { s } from "./dom";
import type { Slate } from "./slate";

const WIDTH = 300;
const HEIGHT = 104;
const TOP = 24;
const MIDDLE = 58;
const LOW = 90;

/** A small fixed unevenness per stroke, so that chalk looks like chalk and does not dance at each drawing. */
const wobble = (seed: number): number => (((seed * 7919) % 13) - 6) / 4;

export function drawSlate(slate: Slate, label: string): SVGSVGElement {
  const drawing = s("svg", { class: "slate-drawing", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  drawing.append(
    s("path", { class: "rail", d: `M8 ${TOP}H${WIDTH - 8}M8 ${LOW}H${WIDTH - 8}M${WIDTH - 60} ${TOP}L60 ${LOW}` }),
    s("path", { class: "stroke", d: hundreds(slate) || "M0 0" }),
    s("path", { class: "stroke", d: fifties(slate.fifties) || "M0 0" }),
    s("path", { class: "stroke", d: tallies(slate.twenties, LOW, 12) || "M0 0" }),
  );
  drawing.append(...rests(slate));
  return drawing;
}

const stroke = (x: number, y: number, seed: number): string =>
  `M${(x + wobble(seed)).toFixed(1)} ${y - 11}L${(x - wobble(seed + 3)).toFixed(1)} ${y + 10}`;

/** Four strokes and a diagonal through them make five. */
function tallies(count: number, y: number, from: number): string {
  let path = "";
  const step = Math.min(9, (WIDTH - 40) / Math.max(1, count));
  for (let index = 0; index < count; index += 1) {
    const group = Math.floor(index / 5);
    const x = from + index * step + group * 5;
    path += index % 5 === 4 ? `M${x - 4.4 * step} ${y + 8}L${x - 0.4 * step} ${y - 8}` : stroke(x, y, index);
  }
  return path;
}

function hundreds(slate: Slate): string {
  let path = "";
  let x = 12;
  let run = 0;
  const flush = (): void => {
    path += tallies(run, TOP, x);
    x += run * 9 + Math.floor(run / 5) * 5 + (run > 0 ? 8 : 0);
    run = 0;
  };
  for (const mark of slate.hundreds) {
    if (mark === "I") {
      run += 1;
      continue;
    }
    flush();
    path += mark === "V" ? `M${x} ${TOP - 11}L${x + 6} ${TOP + 10}L${x + 12} ${TOP - 11}` : `M${x} ${TOP - 11}L${x + 13} ${TOP + 10}M${x + 13} ${TOP - 11}L${x} ${TOP + 10}`;
    x += 20;
  }
  flush();
  return path;
}

/** Each second fifty crosses the one before it. They climb the middle rail. */
function fifties(count: number): string {
  let path = "";
  for (let index = 0; index < count; index += 1) {
    const pair = Math.floor(index / 2);
    const x = 88 + (pair % 9) * 16;
    const y = MIDDLE + 19 - (pair % 9) * 5.2;
    path += index % 2 === 0 ? `M${x - 5} ${y - 8}L${x + 5} ${y + 8}` : `M${x + 5} ${y - 8}L${x - 5} ${y + 8}`;
  }
  return path;
}

function rests(slate: Slate): SVGElement[] {
  const written = slate.rests.slice(-6);
  let x = WIDTH - 26;
  const parts: SVGElement[] = [];
  for (const rest of [...written].reverse()) {
    const text = rest.value < 0 ? `−${-rest.value}` : String(rest.value);
    parts.push(s("text", { x, y: MIDDLE + 7, "text-anchor": "middle", opacity: rest.crossed ? 0.45 : 1 }, text));
    if (rest.crossed) parts.push(s("path", { class: "stroke", opacity: 0.6, d: `M${x - 9} ${MIDDLE + 4}L${x + 9} ${MIDDLE - 1}` }));
    x -= 24;
    if (x < WIDTH / 2 + 40) break;
  }
  return parts;
}
