/**
 * What is still to be done. Each item fails as long as it is: `test.fails` is green meanwhile. The day it is done,
 * the item turns red; then take it out.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import converter from "./index.js";

const here = (path: string) => join(import.meta.dirname, "..", path);

test.fails("verified: the versions of the real program that the facts were measured on", () => {
  expect(converter.verified.filter((version) => version !== "0.0.0")).not.toEqual([]);
});

test.fails("fixtures: stores that the real program left, with what it was asked to do", () => {
  expect(readdirSync(here("fixtures"))).not.toContain("invented");
});

test.fails("program: how the real one is started, so that the kit and `verify --native` can resume in it", () => {
  expect(converter.sessions.resume.program).toBeDefined();
});

test.fails("layout: the real places", () => {
  expect(readFileSync(here("src/layout.ts"), "utf8")).not.toContain("TODO");
});

test.fails("records: the real shapes", () => {
  expect(readFileSync(here("src/records.ts"), "utf8")).not.toContain("TODO");
});

test.fails("write: everything that the program has a place for is written there", () => {
  expect(readFileSync(here("src/sessions/write.ts"), "utf8")).not.toContain("TODO");
});

test.fails("README: the format as it was seen", () => {
  expect(readFileSync(here("README.md"), "utf8")).not.toContain("TODO");
});

test.each(["instructions", "skills", "tools", "memory", "settings"] as const)(
  "%s",
  { fails: true },
  (kind) => {
    // Read and written, or { absent: "why the program has no such thing" }.
    expect("absent" in converter[kind] ? converter[kind].absent : "").not.toContain("TODO");
  },
);
