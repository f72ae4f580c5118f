import { describe, expect, it } from "vitest";
import type { KindTarget } from "../converter/kinds.js";
import type { Instruction } from "../state/instructions.js";
import { putBlock } from "./edit/markdown-block.js";
import {
  instructionItem,
  instructionsIn,
  isSafeInstruction,
  namedPiece,
  unwritten,
} from "./instruction-items.js";

const file: Instruction = {
  scope: "project",
  project: "/p",
  path: "",
  text: "Be kind.\n",
  source: "AGENTS.md",
  from: "codex",
};
const target = (): KindTarget => ({ losses: [] }) as unknown as KindTarget;

describe("what a file holds", () => {
  it("is its own text alone where no conversion put anything into it", () => {
    expect(instructionsIn(file)).toEqual([file]);
  });
  it("is each text that came into it, as what it was, and none of what another kind put there", () => {
    const notes = { from: "codex", file: "notes.md", project: "/q" };
    let text = putBlock(file.text, { from: "claude", file: "CLAUDE.md" }, "Mine.\n");
    text = putBlock(text, notes, "For q.\n");
    text = putBlock(text, { kind: "memory", from: "claude", file: "m.md" }, "A note.\n");
    const imports = [{ path: "a.md", in: "AGENTS.md", status: "found" as const }] as Instruction["imports"];
    const whole: Instruction = { ...file, text, ...(imports && { imports }) };
    expect(
      instructionsIn(whole).map(({ scope, source, text, imports }) => [scope, source, text, imports]),
    ).toEqual([
      ["project", "AGENTS.md", "Be kind.\n", imports],
      ["project", "CLAUDE.md", "Mine.\n", undefined],
      ["local", "notes.md", "For q.\n", undefined],
    ]);
  });
});

describe("a text on its way", () => {
  it("may be the file's own where it is for nobody in particular", () => {
    expect(namedPiece(file, "/p")).toEqual({
      text: file.text,
      marks: { from: "codex", file: "AGENTS.md" },
      whole: true,
    });
  });
  it("says whom it is for: for a project, for some files", () => {
    const local = namedPiece({ ...file, scope: "local", source: "CLAUDE.local.md" }, "/there");
    expect(local.intro).toBe("The following applies only when working in /there.\n\n");
    expect(local.marks).toEqual({ from: "codex", file: "CLAUDE.local.md", project: "/p" });
    expect(local.whole).toBe(false);
    expect(namedPiece({ ...file, globs: ["*.ts", "b/**"] }, "/p").intro).toContain("match `*.ts`, `b/**`.");
  });
  it.each(["../x.md", "/etc/x.md", "C:x.md", "a\u0000b"])("does not leave its folder: %j", (source) => {
    expect(isSafeInstruction({ ...file, source })).toBe(false);
    expect(isSafeInstruction({ ...file, path: source })).toBe(false);
    expect(isSafeInstruction(file)).toBe(true);
  });
});

describe("what became of it", () => {
  it("is told where nothing was written", () => {
    expect(unwritten(file, "created", "/p/AGENTS.md", target())).toBeUndefined();
    expect(unwritten(file, "present", "/p/AGENTS.md", target())).toMatchObject({ outcome: "present" });
    const losses: KindTarget["losses"] = [];
    for (const [outcome, reason] of [
      ["edited", "exists"],
      ["link", "unsafe"],
      ["unreadable", "exists"],
    ] as const)
      expect(unwritten(file, outcome, "/p/AGENTS.md", { losses } as unknown as KindTarget)).toMatchObject({
        outcome: "left",
        reason,
      });
    expect(losses.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  });
  it("counts all that it lost, and tells of the first", () => {
    const to = target();
    const imports = [{ path: "a.md", in: "AGENTS.md", status: "found" as const }] as Instruction["imports"];
    const given: Instruction = { ...file, globs: ["*"], ...(imports && { imports }) };
    expect(instructionItem(given, "marked", "/p/AGENTS.md", to, "It", "always")).toMatchObject({
      outcome: "changed",
      reason: "scope-changed",
      note: "for the model to heed; It has no rules by file",
    });
    expect(to.losses.map(({ reason }) => reason)).toEqual(["scope-changed", "not-expanded", "marked-block"]);
  });
  it("is written, and a loss where it is read in its folder only", () => {
    const to = target();
    const given: Instruction = { ...file, path: "src" };
    expect(instructionItem(given, "created", "/p/src/AGENTS.md", to, "It", "there")).toMatchObject({
      outcome: "written",
    });
    expect(to.losses[0]?.places[0]?.item).toContain("It reads it there");
    expect(instructionItem(given, "created", "/p/src/AGENTS.md", target(), "It", undefined).outcome).toBe(
      "written",
    );
  });
});
