import { expect, test } from "vitest";
import { madeId } from "./ids.js";

/** The 48 bits of a time and a counter end every 2^36 ms, a little more than two years. */
const WRAP = 2 ** 36;
const at = Date.parse("2026-11-30T10:00:00.000Z");

test("the id of a message is its time and a number, in hex; that of a session is turned round", () => {
  const ms = 12345;
  expect(madeId("msg", ms, 3, "x")).toMatch(/^msg_000003039003[0-9A-Za-z]{14}$/);
  expect(madeId("ses", ms, 3, "x")).toMatch(/^ses_fffffcfc6ffc[0-9A-Za-z]{14}$/);
});

test("the same seed gives the same id, another one another", () => {
  expect(madeId("prt", at, 0, "a")).toBe(madeId("prt", at, 0, "a"));
  expect(madeId("prt", at, 0, "a")).not.toBe(madeId("prt", at, 0, "b"));
});

test("ids of one time ascend with their number, also where the bits end: the program orders parts by them alone", () => {
  for (const ms of [at, WRAP - 1, WRAP, Math.ceil(at / WRAP) * WRAP - 1, 0, -5]) {
    const ids = Array.from({ length: 5000 }, (_, n) => madeId("prt", ms, n, `${n}`));
    expect(ids).toEqual([...ids].sort());
  }
});
