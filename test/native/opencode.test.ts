/** OpenCode for real, with its store open while sessions are put into it; and its own export and import of them. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  atomsOf,
  findProgram,
  type OpenCodeHome,
  resumeKilo,
  resumeOpenCode,
  serveOpenCode,
  startOpenCode,
  tellOpenCode,
} from "@asp-convert/conformance/native";
import { convert, diskSource, type Environment, type Report, type SessionRef, undo } from "@asp-convert/core";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fixturesRoot, type HarnessId, harnesses } from "../harnesses.js";
import { nativeIds } from "./natives.js";

let base: string;
let at: OpenCodeHome;
let environment: Environment;
/** Fetching the program (a binary of 177 MiB) is too much for every run: `npm run test:native:all`. */
const isWanted = nativeIds.includes("opencode");
beforeAll(async () => {
  if (isWanted) await findProgram("opencode");
});
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "asp-opencode-test-")));
  at = { home: join(base, "home"), cwd: join(base, "project") };
  await mkdir(at.home);
  await mkdir(at.cwd);
  environment = {
    env: { ASP_HOME: join(base, "asp") },
    home: join(base, "nobody"),
    platform: process.platform,
    cwd: base,
  };
});
afterEach(() => rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));

interface Exported {
  info: object;
  messages: { parts: object[] }[];
}
type Kind = "opencode" | "kilo";
const storeIn = (home: string, kind: Kind = "opencode") => join(home, ".local", "share", kind);

/** Every session of a captured store, into the program's own store; or one into a file. */
async function put(from: HarnessId, name: string, kind: Kind = "opencode", file?: string): Promise<Report> {
  const { converter, store: inside } = harnesses[from];
  const store = await converter.open(join(fixturesRoot, from, name, inside), diskSource, environment);
  const refs: SessionRef[] = [];
  for await (const ref of converter.sessions.list(store, { source: diskSource, environment })) refs.push(ref);
  return convert({
    ...{ from: converter, store, to: harnesses[kind].converter, environment },
    refs: file === undefined ? refs : refs.slice(0, 1),
    ...(file !== undefined && { file }),
    root: storeIn(at.home, kind),
    source: diskSource,
    installed: false,
    cwd: at.cwd,
  });
}

const get = async (url: string) => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  return { status: answer.status, body: (await answer.json()) as unknown };
};

describe.runIf(isWanted)("a server that has the store open", () => {
  test("shows what is put in at once, loses nothing of its own, and can be written to at the same time", async () => {
    const server = await serveOpenCode(at);
    try {
      const own: string[] = [];
      const writing = (async () => {
        for (let i = 0; i < 12; i++) {
          const made = await fetch(`${server.url}/session`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ title: `its own ${i}` }),
          });
          expect(made.status).toBe(200);
          own.push(((await made.json()) as { id: string }).id);
        }
      })();
      const reports = [
        await put("claude", "tools"),
        await put("codex", "compacted"),
        await put("pi", "tree"),
      ];
      await writing;
      const put1 = reports.flatMap(({ sessions }) => sessions.map(({ newId }) => newId));

      // One id that the program does not take would make it answer with an error for all of them.
      const { status, body } = await get(`${server.url}/session`);
      expect(status).toBe(200);
      const listed = (body as { id: string }[]).map(({ id }) => id);
      expect(listed).toEqual(expect.arrayContaining([...own, ...put1]));
      for (const id of put1) {
        const shown = await get(`${server.url}/session/${id}/message`);
        expect(shown.status, id).toBe(200);
        expect((shown.body as unknown[]).length, id).toBeGreaterThan(0);
      }

      for (const { receipt } of reports.toReversed()) await undo(receipt, environment);
      const after = ((await get(`${server.url}/session`)).body as { id: string }[]).map(({ id }) => id);
      expect(after.sort()).toEqual(own.sort());
    } finally {
      await server.stop();
    }
  });
});

describe.runIf(isWanted)("its own commands", () => {
  test.each([
    ["claude", "tools"],
    ["codex", "tools"],
    ["pi", "anthropic"],
  ] as const)("export gives what import takes: %s %s", async (from, name) => {
    const [session] = (await put(from, name)).sessions;
    const id = session?.newId ?? "";
    const exported = await tellOpenCode(at, "export", id);
    expect(exported.exitCode, exported.stderr).toBe(0);
    const before = JSON.parse(exported.stdout) as Exported;
    expect(before.messages.length).toBeGreaterThan(0);

    const elsewhere = { ...at, home: join(base, "elsewhere", "home") };
    await mkdir(elsewhere.home, { recursive: true });
    const file = join(base, "session.json");
    await writeFile(file, exported.stdout);
    const imported = await tellOpenCode(elsewhere, "import", file);
    expect(imported.exitCode, imported.stderr).toBe(0);
    const again = await tellOpenCode(elsewhere, "export", id);
    // Nothing was stripped: no key, no part that the program does not know.
    expect(JSON.parse(again.stdout)).toMatchObject({ messages: before.messages });
  });
});

/** Kilo needs a minute to start when the machine is busy. */
const LIMIT = 240_000;

describe.each(["opencode", "kilo"] as const)("a session as a file, for %s", (kind) => {
  test.runIf(nativeIds.includes(kind)).each([
    ["claude", "subagent"],
    ["claude", "compacted"],
    ["codex", "tools"],
    ["pi", "anthropic"],
    ["opencode", "tools"],
  ] as const)("its import takes it, and it goes on as one in its store does: %s %s", async (from, name) => {
    const file = join(base, "session.json");
    const [whole, ...below] = (await put(from, name, kind, file)).sessions;
    const session = whole?.newId ?? "";
    const elsewhere = { ...at, kind, home: join(base, "elsewhere", "home"), limit: LIMIT };
    await mkdir(elsewhere.home, { recursive: true });
    for (const [program, ...args] of whole?.resume?.first ?? []) {
      expect(program).toBe(kind);
      const imported = await tellOpenCode(elsewhere, ...args);
      expect(imported.exitCode, imported.stderr).toBe(0);
    }
    const exported = JSON.parse((await tellOpenCode(elsewhere, "export", session)).stdout) as object;
    // Kilo exports an edit's diff once, in its patch.
    const isShown = (key: string, value: unknown) =>
      kind === "kilo" && key === "diff" && typeof value === "string" ? undefined : value;
    const { messages, info } = JSON.parse(await readFile(file, "utf8"), isShown);
    const { directory: _, projectID: __, path: ___, ...own } = info;
    expect(exported).toMatchObject({ messages, info: own });
    for (const { newId } of below) {
      const child = JSON.parse((await tellOpenCode(elsewhere, "export", newId)).stdout) as Exported;
      expect(child).toMatchObject({ info: { parentID: session } });
    }

    const [inStore] = (await put(from, name, kind)).sessions;
    const turn = { prompt: "And one more thing?", turns: ["One more answer."] };
    const resume = kind === "kilo" ? resumeKilo : resumeOpenCode;
    const [rows, imported] = [
      await resume({ root: storeIn(at.home, kind), cwd: at.cwd, session: inStore?.newId ?? "", ...turn }),
      await resume({ root: storeIn(elsewhere.home, kind), cwd: at.cwd, session, ...turn }),
    ];
    expect(imported, imported.stderr).toMatchObject({ exitCode: 0, answer: "One more answer." });
    expect(atomsOf(imported.request ?? {})).toEqual(atomsOf(rows.request ?? {}));
  });
});

describe.runIf(isWanted)("the folder of a session", () => {
  test("is where it goes on; anywhere else the program answers and then never ends", async () => {
    const { sessions } = await put("claude", "tools");
    const [first] = sessions;
    const turn = { ...at, session: first?.newId ?? "", prompt: "And?", turns: ["An answer."] };
    const wrong = join(base, "other");
    await mkdir(wrong);
    const begun = performance.now();
    const gone = await startOpenCode({ ...turn, cwd: first?.resume?.cwd ?? wrong, limit: LIMIT });
    expect(gone, gone.stderr).toMatchObject({ timedOut: false, exitCode: 0 });
    expect(gone.stdout).toContain("An answer.");
    // Three times what it takes where it belongs.
    const limit = 15_000 + 3 * (performance.now() - begun);
    const stuck = await startOpenCode({ ...turn, cwd: wrong, limit });
    expect(stuck).toMatchObject({ timedOut: true, exitCode: null });
    expect(stuck.requests.length).toBeGreaterThan(0);
  });
});
