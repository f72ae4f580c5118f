/** Damaged stores on every route: nothing breaks, what can be read crosses, what cannot is declared. */
import { checks } from "@asp-convert/conformance/toolbox";
import { bundle } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { harnesses } from "./harnesses.js";
import { origins, subject } from "./matrix.js";

/** Damage is the readers' affair; what was read goes three ways: to two programs, and into a bundle. */
const targets = [harnesses.claude.converter, harnesses.codex.converter, bundle];

describe.each(origins)("from $converter.name", ({ converter, names, load }) => {
  test.each(names)("%s", { timeout: 120_000 }, async (name) => {
    expect(await checks.tolerance(subject(converter, await load(name), targets))).toEqual([]);
  });
});
