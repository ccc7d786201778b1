import { describe, expect, it } from "vitest";

import { isKept, isNobodyThere, isOfToday, learnt, makesForget } from "../../../frontend/src/worker/offline-pages";
import { namedByContent, needs } from "../../../frontend/src/worker/needs";

const at = (path: string): URL => new URL(path, "https://jass.example.org");
const paths = (found: URL[]): string[] => found.map((url) => url.pathname);

describe("what a file asks for", () => {
  it("is, of a page, its static files and the deck in use, from no other host", () => {
    const page = `<html data-deck="fr"><link href="/static/puur/styles/base.css"><script src="/static/puur/sheet.js"></script>
      <a href="/rules/"><img src="https://elsewhere.example.org/static/x.png">
      <script type="application/json">{"sprites": {"ch": "/static/puur/cards/ch.svg", "fr": "/static/puur/cards/fr.svg"}}</script>`;
    expect(paths(needs(at("/g/1/sheet/"), page))).toEqual(["/static/puur/styles/base.css", "/static/puur/sheet.js", "/static/puur/cards/fr.svg"]);
  });

  it("is, of a script, its parts, and of a style sheet its fonts and pictures", () => {
    expect(paths(needs(at("/static/puur/sheet.js"), `import{a}from"./part-AB12.js";x("./nothing.css")`))).toEqual(["/static/puur/part-AB12.js"]);
    const styles = `a{background:url(../weave.svg)}@font-face{src:url("../fonts/vollkorn.woff2")}b{background:url(data:image/png;base64,AA)}`;
    expect(paths(needs(at("/static/puur/styles/base.css"), styles))).toEqual(["/static/puur/weave.svg", "/static/puur/fonts/vollkorn.woff2"]);
  });

  it("is nothing of a font or a picture", () => {
    expect(needs(at("/static/puur/weave.svg"), `<svg><use href="/static/puur/mark.svg"/></svg>`)).toEqual([]);
  });

  it("is right for ever where its name holds a hash", () => {
    expect(["/static/puur/base.0a1b2c3d4e5f.css", "/static/puur/part-AB12.js"].map((path) => namedByContent(at(path)))).toEqual([true, true]);
    expect(["/static/puur/base.css", "/static/puur/party.js"].map((path) => namedByContent(at(path)))).toEqual([false, false]);
  });
});

describe("what a device keeps", () => {
  it("is a sheet, a transcript, a slip, and nothing below or beside them", () => {
    expect(["/g/12ab/sheet/", "/g/12ab/transcribe/", "/c/herbstcup/rounds/2/slip/17/"].map((path) => isKept(at(path)))).toEqual([true, true, true]);
    expect(["/", "/g/12ab/", "/g/12ab/play/", "/g/12ab/sheet/x/", "/c/herbstcup/rounds/2/", "/api/v1/games/12ab/sheet/"].some((path) => isKept(at(path)))).toBe(false);
  });

  it("is shown for a day", () => {
    const made = "Wed, 25 Nov 2026 18:00:00 GMT";
    expect(isOfToday(made, Date.parse("2026-11-26T17:59:00Z"))).toBe(true);
    expect(isOfToday(made, Date.parse("2026-11-26T18:00:00Z"))).toBe(false);
    expect(isOfToday(null, Date.parse(made))).toBe(false);
  });

  it("is forgotten where the answer is another page now, and kept where nobody answers", () => {
    expect(learnt({ ok: true, status: 200 })).toBe("keep");
    expect(learnt({ ok: false, status: 0 })).toBe("forget"); // a redirect
    expect(learnt({ ok: false, status: 404 })).toBe("forget");
    expect([429, 500, 503].map((status) => learnt({ ok: false, status }))).toEqual(["nothing", "nothing", "nothing"]);
    expect([200, 404, 500, 502, 503, 504].filter(isNobodyThere)).toEqual([502, 503, 504]);
  });

  it("goes when somebody signs in or out or comes with a code", () => {
    expect(["/sign-in/", "/sign-out/", "/password/", "/t/"].every((path) => makesForget(at(path)))).toBe(true);
    expect(["/", "/t/table/", "/g/12ab/referee/"].some((path) => makesForget(at(path)))).toBe(false);
  });
});
