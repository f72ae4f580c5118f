import { expect, test } from "vitest";
import { screenOf } from "./screen.js";

const ESC = "\x1b";

test("colours, titles and other sequences do not show", () => {
  expect(screenOf(`${ESC}[1;31mred${ESC}[0m ${ESC}]0;title\x07and${ESC}(B ${ESC}[?25lplain\x07`)).toEqual([
    "red and plain",
  ]);
});

test("text goes where the cursor was moved to", () => {
  expect(screenOf(`one${ESC}[3Ctwo`)).toEqual(["one   two"]);
  expect(screenOf(`one${ESC}[2Dx${ESC}[1Gy`)).toEqual(["yxe"]);
  expect(screenOf(`one\r\ntwo${ESC}[A\rONE${ESC}[B\rTWO`)).toEqual(["ONE", "TWO"]);
  expect(screenOf(`${ESC}[2;3Hx`)).toEqual(["", "  x"]);
});

test("what is erased is gone", () => {
  expect(screenOf(`hello${ESC}[2D${ESC}[K`)).toEqual(["hel"]);
  expect(screenOf(`hello${ESC}[2K\rx`)).toEqual(["x"]);
  expect(screenOf(`a\r\nb${ESC}[2J${ESC}[Hc`)).toEqual(["c"]);
  expect(screenOf(`abc\r\ndef\r\nghi${ESC}[1;2H${ESC}[J`)).toEqual(["a"]);
});
