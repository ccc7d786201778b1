/** A serial queue: each item begins when the one before it is finished. */
export class SerialQueue<T> {
  #items: T[] = [];
  #busy = false;

  constructor(
    private readonly begin: (item: T) => void,
    /** What waits is another than before. */
    private readonly changed: (waiting: readonly T[]) => void = () => undefined,
  ) {}

  /** What has not begun yet, in order. */
  get waiting(): readonly T[] {
    return this.#items;
  }

  put(item: T): void {
    if (this.#busy) this.#wait([...this.#items, item]);
    else this.begin(item);
  }

  /** Something is on its way: what is put from now on waits. */
  hold(): void {
    this.#busy = true;
  }

  /** It has arrived: the next one begins. */
  free(): void {
    this.#busy = false;
    const [next, ...rest] = this.#items;
    if (this.#items.length === 0) return;
    this.#wait(rest);
    this.begin(next as T);
  }

  /** It failed: what was put on top of it makes no sense any more. */
  drop(): void {
    this.#busy = false;
    this.#wait([]);
  }

  #wait(items: T[]): void {
    this.#items = items;
    this.changed(items);
  }
}
