/** `list --grep` over titles and texts, with an index and without. */
import type { ChildProcess } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { type Place, place } from "./run.js";
import { say } from "./said.js";

interface Line {
  id?: string;
  unreadable?: string;
  match?: { in: string; snippet?: string };
}

async function grep(at: Place, ...args: string[]): Promise<Line[]> {
  const { out, code, err } = await at.run(["list", "--json", "--grep", ...args]);
  expect(code, err).toBe(0);
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

const index = (at: Place) => join(at.home, ".local/state/asp-convert/search/index.db");

it("finds what was said in any store of this machine, and shows where", async () => {
  const at = place();
  say(at, "Please look at the flux capacitor 日本語テスト");
  cpSync(at.store("codex", "archived"), join(at.home, ".codex"), { recursive: true });
  const [one, ...more] = await grep(at, "FLUX CAP");
  expect(more).toEqual([]);
  expect(one?.match).toEqual({ in: "text", snippet: expect.stringContaining("the flux capacitor") });
  expect(await grep(at, "本語テ")).toHaveLength(1);
  expect(await grep(at, "テス"), "shorter than the index's grams").toHaveLength(1);
  expect(await grep(at, "flux.*(日本|xyz)")).toHaveLength(1);
  expect(await grep(at, "flux capacitors")).toEqual([]);
  const [codex] = await grep(at, "/home", "--harness", "codex");
  expect(codex?.match?.in).toBe("cwd");
});

it("keeps the index for its owner alone, and none where none is wanted", async () => {
  const at = place();
  say(at, "the flux capacitor");
  expect(await grep(at, "flux", "--no-index")).toHaveLength(1);
  expect(existsSync(index(at))).toBe(false);
  await grep(at, "flux");
  expect(statSync(index(at)).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(index(at))).mode & 0o777).toBe(0o700);
});

it("sees what was added, changed and removed since", async () => {
  const at = place();
  const first = say(at, "the flux capacitor");
  expect(await grep(at, "flux|tachyon")).toHaveLength(1);
  const second = say(at, "a tachyon", { folder: "-other-project", start: "It is only there." });
  expect(await grep(at, "tachyon")).toHaveLength(1);
  appendFileSync(
    first,
    readFileSync(second, "utf8")
      .split("\n")[1]
      ?.replaceAll(/0000000\d-/g, "0000000f-") ?? "",
  );
  expect(await grep(at, "tachyon")).toHaveLength(2);
  expect(readFileSync(index(at)).includes("only there")).toBe(true);
  rmSync(second);
  expect(await grep(at, "tachyon")).toHaveLength(1);
  expect(readFileSync(index(at)).includes("only there"), "what was deleted is not kept").toBe(false);
  rmSync(join(at.home, ".claude"), { recursive: true });
  expect(await grep(at, "tachyon|flux")).toEqual([]);
});

it("reads no text twice", async () => {
  const at = place();
  const path = say(at, "the flux capacitor");
  const then = new Date("2026-11-03T12:00:00Z");
  utimesSync(path, then, then);
  await grep(at, "flux");
  const { size } = statSync(path);
  // Other bytes under the same size and time: only who reads it again would see them.
  writeFileSync(path, readFileSync(path, "utf8").replace("flux", "blue"));
  utimesSync(path, then, then);
  expect(statSync(path).size).toBe(size);
  expect(await grep(at, "flux")).toHaveLength(1);
  expect(await grep(at, "flux", "--no-index")).toHaveLength(0);
});

it("goes on past a session that cannot be read, and past a damaged index", async () => {
  const at = place();
  say(at, "the flux capacitor");
  writeFileSync(say(at, "x"), "no JSON at all\n");
  expect((await grep(at, "flux")).filter(({ id }) => id)).toHaveLength(1);
  writeFileSync(index(at), "this is no database ".repeat(500));
  expect((await grep(at, "flux")).filter(({ id }) => id)).toHaveLength(1);
});

it("puts a title before a text, and sends no control characters to a terminal", async () => {
  const at = place();
  say(at, "about the \u001b]0;owned\u0007flux \u001b[31mcapacitor\u009b2J");
  const path = say(at, "nothing");
  writeFileSync(path, readFileSync(path, "utf8").replace("Start of it.", "The flux of it."));
  const finds = await grep(at, "flux");
  expect(finds.map(({ match }) => match?.in)).toEqual(["title", "text"]);
  const { out } = await at.run(["list", "--grep", "capacitor"]);
  expect(out).toMatch(/about the flux capacitor/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

/** Sessions of which one takes a while to be read. */
function long(at: Place): void {
  say(at, "the flux capacitor", { folder: "-a" });
  const path = say(at, "long", { folder: "-b" });
  const line = readFileSync(path, "utf8").trimEnd().split("\n")[1] ?? "";
  const more = Array.from({ length: 60_000 }, (_, n) =>
    line.replace(/"uuid":"[^"]*"/, `"uuid":"u${n}"`).replace("long", `and ${n} ${"more ".repeat(100)}`),
  );
  appendFileSync(path, more.join("\n"));
}

/** Once, when the search that was started has begun to write. */
function whenWriting(at: Place, then: (child: ChildProcess) => void): (child: ChildProcess) => void {
  const locks = join(dirname(index(at)), "locks");
  return (child) => {
    const timer = setInterval(() => {
      if (!existsSync(locks) || !readdirSync(locks).some((name) => name.endsWith(".lock"))) return;
      clearInterval(timer);
      then(child);
    }, 5);
    child.once("exit", () => clearInterval(timer));
  };
}

it("waits for another search that reads the same, and finds what that one has read", async () => {
  const at = place();
  long(at);
  let second: ReturnType<Place["run"]> | undefined;
  const started = whenWriting(at, () => {
    second = at.run(["list", "--json", "--grep", "and 59999 more|flux"]);
  });
  const first = await at.run(["list", "--json", "--grep", "and 59999 more|flux"], { started });
  const other = await second;
  expect(other?.err).toMatch(/another search is reading/);
  expect(first.out.split("\n")).toHaveLength(3);
  expect(other?.out).toBe(first.out);
});

it("hears Ctrl-C while it reads, and goes on from there the next time", async () => {
  const at = place();
  long(at);
  const started = whenWriting(at, (child) => child.kill("SIGINT"));
  const { code, err } = await at.run(["list", "--grep", "flux"], { started });
  expect(code, err).toBe(130);
  expect(await grep(at, "and 59999 more")).toHaveLength(1);
  expect(await grep(at, "flux")).toHaveLength(1);
});
