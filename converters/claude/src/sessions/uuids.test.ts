import { uuidFrom } from "@asp-convert/core";
import { expect, test } from "vitest";
import { Uuids } from "./uuids.js";

test("finds thousands of uuids again, and names that are none", () => {
  const uuids = new Uuids();
  const names = Array.from({ length: 5000 }, (_, i) => (i % 10 === 0 ? `name ${i}` : uuidFrom(String(i))));
  for (const [i, name] of names.entries()) {
    const bytes = Buffer.from(`..${name}..`);
    expect(uuids.set(bytes, 2, bytes.length - 2, i)).toBeUndefined();
  }
  for (const [i, name] of names.entries()) expect(uuids.get(name)).toBe(i);
  expect(uuids.get(uuidFrom("none"))).toBeUndefined();
  expect(uuids.get("")).toBeUndefined();
});

test("a second use gives back the first; letter case is not folded", () => {
  const uuids = new Uuids();
  const name = "abcdef00-0000-4000-8000-00000000000a";
  expect(uuids.set(Buffer.from(name), 0, 36, 1)).toBeUndefined();
  expect(uuids.set(Buffer.from(name), 0, 36, 2)).toBe(1);
  expect(uuids.get(name)).toBe(2);
  expect(uuids.get(name.toUpperCase())).toBeUndefined();
});
