/** The leaf test on every route: whatever string a record holds, it arrives, is left as evidence, or is declared. */
import { checks } from "@asp-convert/conformance/toolbox";
import { describe, expect, test } from "vitest";
import { origins, subject, targets } from "./matrix.js";

describe.each(origins)("from $converter.name", ({ converter, names, load }) => {
  test.each(names)("%s", { timeout: 120_000 }, async (name) => {
    expect(await checks.leaves(subject(converter, await load(name), targets))).toEqual([]);
  });
});
