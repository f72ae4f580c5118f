/** Damaged stores on every route: nothing breaks, what can be read crosses, what cannot is declared. */
import { checks } from "@asp-convert/conformance/toolbox";
import { describe, expect, test } from "vitest";
import { origins, subject, targets } from "./matrix.js";

describe.each(origins)("from $converter.name", ({ converter, names, load }) => {
  test.each(names)("%s", { timeout: 120_000 }, async (name) => {
    expect(await checks.tolerance(subject(converter, await load(name), targets))).toEqual([]);
  });
});
