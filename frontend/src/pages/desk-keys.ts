/** The keyboard shortcuts of the desk. Pure, for tests. */

/** `empty`: an empty name field; the form goes there after each person. */
export type Focus = "search" | "row" | "name" | "empty" | "offered" | "text" | "page";

/** The action of a key while the focus is in `where`; null: none. */
export function meaning(key: string, where: Focus): string | null {
  if (where === "text") return null;
  if (where === "empty") return key === "/" ? "search" : null;
  if (where === "name") return key === "ArrowDown" ? "offers" : null;
  if (where === "offered") {
    if (key === "ArrowDown" || key === "ArrowRight") return "next-offer";
    if (key === "ArrowUp" || key === "ArrowLeft") return "previous-offer";
    return key === "Escape" ? "name" : null;
  }
  if (key === "/") return "search";
  if (where === "search") return key === "Enter" ? "first" : key === "ArrowDown" ? "list" : null;
  if (where === "page") return null;
  if (key === "ArrowDown") return "next";
  if (key === "ArrowUp") return "previous";
  if (key === "Escape") return "search";
  if (key === "Enter") return "take";
  return /^\p{Letter}$/u.test(key) ? "press" : null;
}
