import { describe, expect, it } from "vitest";

import { signsOut } from "../../../frontend/src/worker/offline-pages";
import { movedTo, toldBy } from "../../../frontend/src/worker/push-message";

const HERE = "https://jass.example.org";
const told = (said: unknown): ReturnType<typeof toldBy> => toldBy(JSON.stringify(said), HERE);

describe("what a push message says", () => {
  it("is title, text, tag and language, and the page that a tap opens", () => {
    const said = { v: 1, title: "Round 3: table 7, seat 26", body: "Anna with Chiara.", path: "/c/x/people/1/?a=b", tag: "t", lang: "de" };
    expect(told(said)).toEqual({ title: "Round 3: table 7, seat 26", body: "Anna with Chiara.", path: "/c/x/people/1/?a=b", tag: "t", lang: "de" });
  });

  it.each(["https://evil.example.org/", "//evil.example.org/x", "javascript:alert(1)", "data:text/html,x", "https://jass.example.org.evil.org/", "\\\\evil.example.org", "http://jass.example.org/c/"])("leads to no other place: %s", (path) => {
    expect(told({ title: "x", path }).path).toBe("/");
  });

  it.each(["", "{", "null", "3", '"x"', "[]", '{"title": 3, "body": {}, "path": [], "tag": null}', '{"path": "https://"}'])("is shown as far as it can be read: %s", (text) => {
    expect(toldBy(text, HERE)).toEqual({ title: "Puur", body: "", tag: "", lang: "", path: "/" });
  });

  it("may be of a version to come", () => {
    expect(told({ v: 2, title: "A", actions: [] })).toMatchObject({ title: "A", path: "/" });
  });
});

it("goes with a browser that is reached elsewhere, where it says where that was", () => {
  const now = { endpoint: "https://push.example.org/b", keys: { p256dh: "P", auth: "A" } };
  expect(movedTo("https://push.example.org/a", now)?.toString()).toBe("before=https%3A%2F%2Fpush.example.org%2Fa&endpoint=https%3A%2F%2Fpush.example.org%2Fb&p256dh=P&auth=A");
  expect(movedTo(undefined, now)).toBeNull();
  expect(movedTo("https://push.example.org/a", {})).toBeNull();
});

it("ends when a user signs out, not when they open a table", () => {
  expect(["/sign-out/", "/sign-in/", "/t/", "/password/"].map((path) => signsOut(new URL(path, HERE)))).toEqual([true, false, false, false]);
});
