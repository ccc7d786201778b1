/** Names of a table in at most three letters, for small spaces. Pure. */

const letters = (name: string): string[] => [...name];
const initials = (name: string): string => name.split(/[\s-]+/).map((part) => letters(part)[0] ?? "").join("");
const begins = (name: string, length: number): string => letters(name).slice(0, length).join("");

/**
 * At most three letters that distinguish all names, by the first method that succeeds: initials, or two letters of a
 * single name; three letters; the first letter, also with a later one. If none succeeds, the letter of the seat.
 */
export function shortNames(names: readonly string[]): string[] {
  const parts = names.map((name) => letters(name.replace(/[\s-]+/g, "")));
  const longest = Math.max(0, ...parts.map((name) => name.length));
  const ways: ((name: string, at: number) => string)[] = [
    (name) => (name.includes(" ") ? begins(initials(name), 3) : begins(name, 2)),
    (name) => begins(name, 3),
    ...Array.from({ length: longest }, (_, index) => (_name: string, at: number) => (parts[at]?.[0] ?? "") + (index > 0 ? (parts[at]?.[index] ?? "") : "")),
  ];
  const found = ways.map((way) => names.map(way)).find((all) => new Set(all).size === names.length && all.every((short) => short !== ""));
  return found ?? names.map((_, seat) => "ABCD".charAt(seat));
}

/** First names if they distinguish all players of the table; otherwise full names. */
export function calledNames(names: readonly string[]): string[] {
  const first = names.map((name) => name.split(/\s/, 1)[0] ?? "");
  return new Set(first).size === names.length && first.every((name) => name !== "") ? first : [...names];
}
