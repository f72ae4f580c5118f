/** OpenCode for real, with its store open while sessions are put into it; and its own export and import of them. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, type OpenCodeHome, serveOpenCode, tellOpenCode } from "@asp-convert/conformance/native";
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

/** Every session of a captured store, into the program's own store. */
async function put(from: HarnessId, name: string): Promise<Report> {
  const { converter, store: inside } = harnesses[from];
  const store = await converter.open(join(fixturesRoot, from, name, inside), diskSource, environment);
  const refs: SessionRef[] = [];
  for await (const ref of converter.sessions.list(store, { source: diskSource, environment })) refs.push(ref);
  return convert({
    ...{ from: converter, store, refs, to: harnesses.opencode.converter, environment },
    root: join(at.home, ".local", "share", "opencode"),
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
    const before = JSON.parse(exported.stdout) as { info: object; messages: { parts: object[] }[] };
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
