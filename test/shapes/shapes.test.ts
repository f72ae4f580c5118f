/** All synthetic shapes: committed as their scripts make them, accounted for, and fit for every route. What is right for each stands beside. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { accounted, convert, readAll, withChildren } from "@asp-convert/conformance/toolbox";
import { bundle } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { fixturesRoot } from "../harnesses.js";
import { filesOf, shapes } from "./build/make.js";
import { cases, home, opened, others } from "./support.js";

test("the committed files are those that the scripts make", () => {
  for (const shape of shapes)
    for (const [path, bytes] of filesOf(shape))
      expect(
        readFileSync(join(fixturesRoot, "shapes", shape.name, path)).equals(bytes),
        `${shape.name}/${path}`,
      ).toBe(true);
  expect(cases.map(({ name }) => name)).toEqual(shapes.map(({ name }) => name).sort());
});

describe.each(cases)("$name ($pains)", ({ name }) => {
  test("every byte is accounted for, and it goes every route", async () => {
    const store = await opened(name);
    expect(store.refs.length).toBeGreaterThan(0);
    for (const ref of store.refs) {
      for (const each of withChildren(ref))
        expect(
          accounted(await readAll(store.from, each, store.source), each.files, new Map(store.files)),
        ).toEqual([]);
      for (const to of [store.from, ...others(store.from.id), bundle])
        await convert({ from: store.from, ref, source: store.source, to, ...home(ref) });
    }
  });
});
