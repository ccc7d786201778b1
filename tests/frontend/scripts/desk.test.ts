import { describe, expect, it } from "vitest";
import { meaning } from "../../../frontend/src/pages/desk-keys";

describe("keys at the desk", () => {
  it("leaves typing alone in every other field", () => {
    for (const key of ["h", "/", "Enter", "ArrowDown"]) expect(meaning(key, "text")).toBeNull();
  });

  it("searches again by the slash, wherever one is", () => {
    for (const where of ["search", "row", "page", "empty"] as const) expect(meaning("/", where)).toBe("search");
    expect(meaning("/", "name"), "Meier/Müller").toBeNull();
    expect(meaning("h", "empty")).toBeNull();
  });

  it("takes the first one found by Enter and walks into the list by the arrow", () => {
    expect(meaning("Enter", "search")).toBe("first");
    expect(meaning("ArrowDown", "search")).toBe("list");
    expect(meaning("h", "search")).toBeNull();
  });

  it("takes whoever is chosen in the list by Enter", () => {
    expect(meaning("Enter", "row")).toBe("take");
    expect(meaning("Enter", "page")).toBeNull();
  });

  it("walks from a name that is typed to whom the roll offers, and leaves Enter to the button", () => {
    expect(meaning("ArrowDown", "name")).toBe("offers");
    expect(meaning("Enter", "name")).toBeNull();
    expect(meaning("ArrowDown", "offered")).toBe("next-offer");
    expect(meaning("ArrowUp", "offered")).toBe("previous-offer");
    expect(meaning("Escape", "offered")).toBe("name");
    expect(meaning("Enter", "offered")).toBeNull();
  });

  it("presses the button of a letter only in a line", () => {
    expect(meaning("h", "row")).toBe("press");
    expect(meaning("ü", "row")).toBe("press");
    expect(meaning("h", "page")).toBeNull();
    expect(meaning("Tab", "row")).toBeNull();
    expect(meaning("1", "row")).toBeNull();
  });
});
