import { describe, expect, it } from "vitest";
import type { KindContext, KindTarget } from "../converter/kinds.js";
import { memorySource } from "../io/memory.js";
import type { Skill } from "../state/skills.js";
import {
  inspected,
  overLimits,
  planSkillFolder,
  readSkillFolder,
  smallFile,
  standardLimits,
} from "./skills.js";

const environment = { env: {}, home: "/h", platform: "linux", cwd: "/" } as const;
const context = (files: Record<string, string>): KindContext => ({
  source: memorySource(files),
  environment,
  losses: [],
  items: [],
  user: true,
  projects: [],
  followLinks: false,
});
const target = (files: Record<string, string> = {}): KindTarget => ({
  source: memorySource(files),
  environment,
  losses: [],
  root: "/t",
  projectFolder: () => undefined,
  allowTools: false,
  includeSecrets: false,
  dropRestrictions: false,
});
/** As one comes over a wire: its bytes in it. */
const carried = (files: Record<string, string>, more: Partial<Skill> = {}): Skill => ({
  name: "s",
  scope: "user",
  restrictions: [],
  files: Object.entries(files).map(([path, text]) => smallFile(path, text)),
  ...more,
});

describe("a skill folder", () => {
  it("gives every file with its hash, and what its front matter forbids", async () => {
    const at = context({
      "/s/SKILL.md":
        "---\nname: S\ndescription: D\nallowed-tools: Read\nuser-invocable: false\n---\nrun !`date` now\n",
      "/s/a/b.txt": "x",
      "/s/.git/HEAD": "no",
    });
    const skill = await readSkillFolder("/s", { name: "s", scope: "user" }, at);
    expect(skill).toMatchObject({
      declaredName: "S",
      description: "D",
      restrictions: [{ key: "allowed-tools" }, { key: "user-invocable" }],
      runs: ["date"],
      files: [
        { path: "SKILL.md" },
        {
          path: "a/b.txt",
          size: 1,
          sha256: "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
        },
      ],
    });
  });
  it("without SKILL.md is none", async () => {
    expect(
      await readSkillFolder("/s", { name: "s", scope: "user" }, context({ "/s/skill.md": "" })),
    ).toBeUndefined();
  });
});

describe("a skill from elsewhere", () => {
  it("is what its own bytes say, whatever is claimed of it", async () => {
    const skill = carried(
      { "SKILL.md": "---\nname: a\ndescription: real\nhooks: {}\n---\n" },
      { description: "claimed", runs: [] },
    );
    expect(await inspected(skill)).toMatchObject({
      declaredName: "a",
      description: "real",
      runs: ["hooks in its front matter"],
    });
  });
  it.each([
    ["../x", "leaves its folder"],
    ["/x", "is not a relative path"],
    ["C:\\x", "is not a relative path"],
    ["a/../../x", "leaves its folder"],
    ["a\u0000b", "control characters"],
    ["con.txt", "Windows reserves"],
  ])("with the file %j is refused", async (path, why) => {
    expect(await planSkillFolder(carried({ [path]: "x" }), "/t/s", target())).toMatchObject({
      unsafe: expect.stringContaining(why),
    });
  });
  it("with a name that leads elsewhere, a file twice, or a link out of it is refused", async () => {
    for (const name of ["../s", "a/b", "", ".."])
      expect(await planSkillFolder(carried({ x: "" }, { name }), "/t/s", target())).toHaveProperty("unsafe");
    const twice = carried({ x: "" });
    twice.files.push(...carried({ "./x": "" }).files);
    expect(await planSkillFolder(twice, "/t/s", target())).toHaveProperty("unsafe");
    for (const link of ["../../etc/passwd", "/etc/passwd"]) {
      const linked: Skill = {
        ...carried({}),
        files: [{ path: "l", mode: 0o777, size: 0, sha256: "", link }],
      };
      expect(await planSkillFolder(linked, "/t/s", target())).toHaveProperty("unsafe");
    }
  });
  it("never gets more than a person's permissions", async () => {
    const skill = carried({ x: "" });
    for (const file of skill.files) file.mode = 0o6777;
    expect(await planSkillFolder(skill, "/t/s", target())).toMatchObject({ actions: [{ mode: 0o755 }] });
  });
  it("is present where all its files are, and never merged into another one", async () => {
    expect(
      await planSkillFolder(carried({ x: "1" }), "/t/s", target({ "/t/s/x": "1", "/t/s/more": "" })),
    ).toEqual({ present: true });
    expect(await planSkillFolder(carried({ x: "1" }), "/t/s", target({ "/t/s/x": "2" }))).toEqual({
      differs: true,
    });
    expect(await planSkillFolder(carried({ x: "1", y: "1" }), "/t/s", target({ "/t/s/x": "1" }))).toEqual({
      differs: true,
    });
  });
});

it("limits are counted in characters and told in words", () => {
  expect(overLimits(carried({}, { declaredName: "ü".repeat(65), description: "d" }), standardLimits)).toEqual(
    ["its name has 65 characters, at most 64 are taken"],
  );
  expect(overLimits(carried({}, { description: "😀".repeat(1025) }), standardLimits)).toEqual([
    "its description has 1025 characters, at most 1024 are taken",
  ]);
  expect(overLimits(carried({}), standardLimits)).toEqual(["it has no description"]);
});
