import { describe, expect, it } from "vitest";
import type { KindTarget } from "../converter/kinds.js";
import { memorySource } from "../io/memory.js";
import { type Piece, planPieces, standsFor, takeApart } from "./instructions.js";

const target = (files: Record<string, string>): KindTarget => ({
  source: memorySource(files),
  environment: { env: {}, home: "/h", platform: "linux", cwd: "/" },
  losses: [],
  root: "/t",
  projectFolder: () => undefined,
  allowTools: false,
  includeSecrets: false,
  dropRestrictions: false,
});
const piece = (text: string, file = "CLAUDE.md", more: Partial<Piece> = {}): Piece => ({
  text,
  marks: { from: "claude", file },
  ...more,
});

/** The file's text after the plan, and what became of each piece. */
async function planned(
  before: string | undefined,
  ...pieces: Piece[]
): Promise<{ text: string | undefined; outcomes: string[] }> {
  const plan = await planPieces("/t/A.md", pieces, target(before === undefined ? {} : { "/t/A.md": before }));
  const [action] = plan.actions;
  return { text: action?.do === "edit" ? action.edit(before) : before, outcomes: plan.outcomes };
}

describe("texts on their way into a file", () => {
  it("are the file where there is none: the first whole, the others marked", async () => {
    const { text, outcomes } = await planned(
      undefined,
      piece("one\n", "a", { whole: true }),
      piece("two\n", "b"),
    );
    expect(outcomes).toEqual(["created", "marked"]);
    expect(text?.startsWith("one\n\n<!-- asp:begin")).toBe(true);
    expect(takeApart(text ?? "")).toEqual({
      own: "one\n",
      blocks: [{ marks: { from: "claude", file: "b" }, text: "two\n" }],
    });
  });
  it("are marked beside a text that is there, and nothing is done a second time", async () => {
    const first = await planned("mine\n", piece("theirs\n", "a", { whole: true }));
    expect(first.outcomes).toEqual(["marked"]);
    expect(takeApart(first.text ?? "").own).toBe("mine\n");
    expect(await planned(first.text, piece("theirs\n", "a", { whole: true }))).toEqual({
      text: first.text,
      outcomes: ["present"],
    });
  });
  it("take the place of their own older version, unless somebody edited it", async () => {
    const first = await planned("mine\n", piece("old\n"));
    const second = await planned(first.text, piece("new\n"));
    expect(second.outcomes).toEqual(["updated"]);
    expect(takeApart(second.text ?? "").blocks).toMatchObject([{ text: "new\n" }]);
    const edited = first.text?.replace("old", "older");
    expect(await planned(edited, piece("new\n"))).toEqual({ text: edited, outcomes: ["edited"] });
  });
  it("are there already where the file says the same", async () => {
    expect((await planned("same\n", piece("same\n"))).outcomes).toEqual(["present"]);
  });
  it("have a sentence in front for the model that comes off again", async () => {
    const { text } = await planned("mine\n", piece("theirs\n", "a", { intro: "For x only.\n\n" }));
    expect(text).toContain("For x only.\n\ntheirs\n");
    expect(takeApart(text ?? "").blocks).toEqual([
      { marks: { from: "claude", file: "a" }, text: "theirs\n" },
    ]);
  });
});

it.each([
  ["@AGENTS.md\n", "AGENTS.md"],
  ["AGENTS.md", "AGENTS.md"],
  ["../shared/AGENTS.md", "../shared/AGENTS.md"],
  ["@./AGENTS.md", "AGENTS.md"],
  ["See @AGENTS.md", undefined],
  ["@AGENTS.md\nmore", undefined],
  ["text", undefined],
])("%j stands for %s", (text, name) => expect(standsFor(text)).toBe(name));
