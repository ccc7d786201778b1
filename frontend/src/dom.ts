/** DOM construction without a framework. Text is always set as text. */

import type { Code } from "./table/cards";
import { cardName, deckInUse, type Page } from "./page";

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

const SVG = "http://www.w3.org/2000/svg";

function dress(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  dress(element, attributes, children);
  return element;
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  dress(element, attributes, children);
  return element;
}

/** Set the children of `root`, and keep those that are equal: a phone lays out only changes, and the focus stays. */
export function settle(root: Element, children: readonly Element[]): void {
  for (const [index, child] of children.entries()) {
    const there = root.children[index];
    if (there === undefined) root.append(child);
    else if (!there.isEqualNode(child)) there.replaceWith(child);
  }
  for (const gone of [...root.children].slice(children.length)) gone.remove();
}

export function find<T extends Element = HTMLElement>(selector: string): T {
  const element = document.querySelector<T>(selector);
  if (element === null) throw new Error(`nothing is ${selector}`);
  return element;
}

/** A card face, or the back for an unknown card. `mute`: without a label, because another element has it. */
export function cardFace(page: Page, card: Code | null, { mute = false } = {}): SVGSVGElement {
  const deck = deckInUse();
  const symbol = card ?? "back";
  const label: Attributes = mute ? { "aria-hidden": "true" } : { role: "img", "aria-label": cardName(card, deck) };
  return s(
    "svg",
    { class: "card-face", viewBox: "0 0 100 156", focusable: "false", ...label },
    s("use", { href: `${page.sprites[deck]}#${deck}-${symbol}` }),
  );
}

export function suitPip(page: Page, suit: string): SVGSVGElement {
  const deck = deckInUse();
  return s(
    "svg",
    { class: "suit-pip", viewBox: "0 0 100 100", "aria-hidden": "true" },
    s("use", { href: `${page.sprites[deck]}#${deck}-pip-${suit}` }),
  );
}

export const calm = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Scroll the current line, or the newest, to the middle of the list. A hidden list needs it again when it becomes visible. */
export function keepInView(root: HTMLElement): void {
  const current = root.querySelector<HTMLElement>(".now") ?? (root.lastElementChild as HTMLElement | null);
  if (current) root.scrollTop = current.offsetTop - root.offsetTop - root.clientHeight / 2;
}
