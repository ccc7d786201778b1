/**
 * A guard against unintended taps: a panel that has just appeared or changed ignores a tap that began before, the
 * second of a double tap, and a held key.
 */

/** Milliseconds: longer than between the taps of a double tap. */
export const SETTLING_MS = 450;

export class Settling {
  #key: string | null = null;
  #since = -Infinity;
  #pressed = -Infinity;

  constructor(private readonly now: () => number) {}

  /** Set the current offer; true if it replaces another one. */
  show(key: string): boolean {
    const first = this.#key === null;
    if (key === this.#key) return false;
    this.#key = key;
    this.#since = first ? this.#since : this.now();
    return !first;
  }

  /** A pointer or key went down. */
  press(): void {
    this.#pressed = this.now();
  }

  /** Whether the last press began on the current offer, and not too soon. */
  get takes(): boolean {
    return this.#pressed >= this.#since && this.now() - this.#since >= SETTLING_MS;
  }

  get remaining(): number {
    return Math.max(0, this.#since + SETTLING_MS - this.now());
  }
}

/** Mark on the page whether the keyboard is used, for the focus style. */
export function markKeys(): void {
  const keys = (used: boolean): void => void document.documentElement.toggleAttribute("data-keys", used);
  document.addEventListener("keydown", (event) => keys(!event.ctrlKey && !event.metaKey && !event.altKey), true);
  document.addEventListener("pointerdown", () => keys(false), true);
}

/** Guard the buttons of an element; the returned function gets the key of their offer. `keys`: guard key presses too. */
export function guard(root: HTMLElement, { keys = true } = {}): (key: string) => void {
  const settling = new Settling(() => performance.now());
  let timer = 0;
  const press = (): void => settling.press();
  document.addEventListener("pointerdown", press, true);
  if (keys) {
    root.addEventListener(
      "keydown",
      (event) => {
        if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
        else press();
      },
      true,
    );
  }
  root.addEventListener(
    "click",
    (event) => {
      // Clicks by a script are intended and pass; a key press is a click without a pointer.
      if (!event.isTrusted || settling.takes || (!keys && event.detail === 0)) return;
      event.stopPropagation();
      event.preventDefault();
    },
    true,
  );
  return (key) => {
    if (!settling.show(key)) return;
    root.toggleAttribute("data-settling", true);
    if (root.role === "group") root.setAttribute("aria-disabled", "true");
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      root.toggleAttribute("data-settling", false);
      root.removeAttribute("aria-disabled");
    }, settling.remaining);
  };
}
