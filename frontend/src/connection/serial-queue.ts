/** A serial queue: each item begins when the one before it is finished. */
export class SerialQueue<T> {
  #items: T[] = [];
  #busy = false;

  constructor(
    private readonly begin: (item: T) => void,
    /** Called when the waiting items change. */
    private readonly changed: (waiting: readonly T[]) => void = () => undefined,
  ) {}

  /** The waiting items, in order. */
  get waiting(): readonly T[] {
    return this.#items;
  }

  put(item: T): void {
    if (this.#busy) this.#wait([...this.#items, item]);
    else this.begin(item);
  }

  /** Mark the queue as busy: further items wait. */
  hold(): void {
    this.#busy = true;
  }

  /** Finish the current item and begin the next one. */
  free(): void {
    this.#busy = false;
    const [next, ...rest] = this.#items;
    if (this.#items.length === 0) return;
    this.#wait(rest);
    this.begin(next as T);
  }

  /** Fail: drop the waiting items, which depended on the failed one. */
  drop(): void {
    this.#busy = false;
    this.#wait([]);
  }

  #wait(items: T[]): void {
    this.#items = items;
    this.changed(items);
  }
}
