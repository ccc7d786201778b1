import { beforeEach, describe, expect, test, vi } from "vitest";

/** The parts of a page that the script uses: event listeners, and the URL. */
let press: (target: unknown) => void = () => undefined;
let options: unknown = null;

class FakeElement {
  constructor(private readonly link: { href: string; dataset: Record<string, string> } | null) {}
  closest(selector: string): unknown {
    return selector === "a[data-at-moment]" ? this.link : null;
  }
}

const link = (href: string, name: string): { href: string; dataset: Record<string, string> } => ({ href, dataset: { atMoment: name } });

beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal("Element", FakeElement);
  vi.stubGlobal("location", { hash: "#seq=17" });
  vi.stubGlobal("document", {
    addEventListener(type: string, listener: (event: unknown) => void, how: unknown) {
      if (type === "click") press = (target) => listener({ target });
      options = how;
    },
  });
  await import("../../../frontend/src/pages/at-moment");
});

describe("a link beside a replay", () => {
  test("leads to the moment that is looked at, under the name it asks for", () => {
    const whatIf = link("https://jass.example/g/1/what-if/", "at");

    press(new FakeElement(whatIf));

    expect(whatIf.href).toBe("https://jass.example/g/1/what-if/?at=17");
  });

  test("is `seq` where it gives no name, and what else the address says stays", () => {
    const dispute = link("https://jass.example/g/1/dispute/?deal=2&seq=3#form", "");

    press(new FakeElement(dispute));

    expect(dispute.href).toBe("https://jass.example/g/1/dispute/?deal=2&seq=17#form");
  });

  test("is changed before the browser follows it", () => {
    expect(options).toEqual({ capture: true });
  });

  test.each(["", "#seq=", "#seq=-1", "#seq=17x", "#seq=12345678", "#trick=4"])("stays as it is where the page is at no moment: %j", (hash) => {
    vi.stubGlobal("location", { hash });
    const plain = link("https://jass.example/g/1/what-if/", "at");

    press(new FakeElement(plain));

    expect(plain.href).toBe("https://jass.example/g/1/what-if/");
  });

  test("is not looked for where something else was pressed", () => {
    expect(() => press(new FakeElement(null))).not.toThrow();
    expect(() => press({ nodeType: 3 })).not.toThrow();
  });
});
