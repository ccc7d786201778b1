import { expect, test } from "vitest";

import { jump, momentsOf, seqOf } from "../../../frontend/src/moments";
import { GAME } from "./game";

test("deals and tricks are the places to jump to", () => {
  const moments = momentsOf(GAME);

  expect(moments.deals).toEqual([{ at: 1, deal: 1 }]);
  expect(moments.tricks).toEqual([12]);
  expect(jump(moments.tricks, 3, 1)).toBe(12);
  expect(jump(moments.tricks, 12, 1)).toBe(12);
  expect(jump(moments.tricks, 13, -1)).toBe(12);
});

test("a link names a moment, anything else names none", () => {
  expect(seqOf("#seq=17")).toBe(17);
  expect(seqOf("#seq=x")).toBeNull();
  expect(seqOf("")).toBeNull();
});
