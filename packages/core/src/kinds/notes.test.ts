import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Note } from "../state/memory.js";
import {
  exchanged,
  noteHeading,
  readSignature,
  signNote,
  withIndexLines,
  withoutIndexLine,
  withTombstones,
} from "./notes.js";

const free = fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.toWellFormed());

describe("a note's origin", () => {
  it("goes along and comes off again to the byte, whatever text and names are", () => {
    fc.assert(
      fc.property(free, free, fc.option(free, { nil: undefined }), free, (text, harness, project, path) => {
        const from = { harness, ...(project !== undefined && { project }), path };
        expect(readSignature(signNote({ path: "p.md", text, from }))).toEqual({ text, from, edited: false });
      }),
      { numRuns: 300 },
    );
  });
  it("is still known when the text was edited, and that is told", () => {
    const signed = signNote({ path: "p.md", text: "one\n", from: { harness: "claude", path: "x.md" } });
    expect(readSignature(signed.replace("one", "two"))).toMatchObject({ text: "two\n", edited: true });
    expect(readSignature("plain\n")).toBeUndefined();
  });
});

describe("a heading", () => {
  const heading = (text: string) =>
    noteHeading({ path: "a/likes-tabs.md", text, from: { harness: "x", path: "" } });
  it("is the front matter's, else the text's own, else the file's name", async () => {
    expect(await heading("---\nname: likes-tabs\ndescription: Tabs.\n---\nBody")).toEqual({
      title: "Likes tabs",
      description: "Tabs.",
    });
    expect(await heading("# The Title-Case\n\nFirst line.\n")).toEqual({
      title: "The Title-Case",
      description: "First line.",
    });
    expect(await heading("Only text")).toEqual({ title: "Likes tabs", description: "Only text" });
  });
});

describe("an index", () => {
  const line = { path: "a.md", title: "A", description: "about a" };
  it("gets a line for a note, once, and loses it again", () => {
    const index = withIndexLines("- [B](b.md) — b", [line]);
    expect(index).toBe("- [B](b.md) — b\n- [A](a.md) — about a\n");
    expect(withIndexLines(index, [line])).toBe(index);
    expect(withoutIndexLine(index, "a.md")).toBe("- [B](b.md) — b\n");
  });
});

describe("a tombstone", () => {
  const note = (path: string): Note => ({ path, text: path, from: { harness: "claude", path } });
  it("stands for what was there at the last exchange and is no more", () => {
    const last = exchanged([note("a.md"), note("b.md"), { ...note("i.md"), kind: "index" }]);
    expect(withTombstones([note("a.md")], last)).toEqual([
      note("a.md"),
      { path: "b.md", deleted: true, from: { harness: "claude", path: "b.md" } },
    ]);
  });
});
