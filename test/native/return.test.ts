/**
 * There and back again: a session goes to another program, a real turn is taken there, and it comes home. What it was when
 * it left is byte for byte what its file begins with, and the real program sends its model the very thoughts it once had.
 */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareRequests, type JsonObject } from "@asp-convert/conformance/native";
import {
  convert,
  diskSource,
  type Environment,
  type Report,
  type SessionRef,
  type Trail,
} from "@asp-convert/core";
import { createTrail, SessionLog } from "@asp-convert/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixtureNames, fixturesRoot, type HarnessId, harnesses } from "../harnesses.js";
import { natives, refusedBySource } from "./natives.js";

let scratch = "";
let environment: Environment;
let trail: Trail;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "asp-return-"));
  environment = {
    env: { ASP_HOME: join(scratch, "asp") },
    home: join(scratch, "home"),
    platform: process.platform,
    cwd: scratch,
  };
  trail = trailIn("log");
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

function trailIn(folder: string): Trail {
  return createTrail({
    log: new SessionLog(join(scratch, "asp", folder), diskSource),
    converterOf: (id) => harnesses[id as HarnessId]?.converter,
  });
}

async function convertTo(
  to: HarnessId,
  from: HarnessId,
  root: string,
  session: string,
  out: string,
  carry = false,
): Promise<Report> {
  const { converter } = harnesses[from];
  const store = await converter.open(root, diskSource, environment);
  const refs = [];
  for await (const ref of converter.sessions.list(store, { source: diskSource, environment }))
    if (ref.id === session) refs.push(ref);
  const target = harnesses[to].converter;
  const request = { from: converter, store, refs, to: target, root: out, environment, source: diskSource };
  return convert({ ...request, installed: false, trail, carry });
}

/** Opaque thoughts in a request, in order. */
function thoughts(request: JsonObject | undefined): string[] {
  return [...JSON.stringify(request).matchAll(/"(?:signature|encrypted_content)":"([^"]+)"/g)].map(
    ([, value]) => value as string,
  );
}

type Case = readonly [home: HarnessId, store: string, hops: readonly HarnessId[]];

const quick: readonly Case[] = [
  ["claude", "tools", ["codex"]],
  ["claude", "tools", ["codex", "pi"]],
  ["claude", "compacted", ["codex"]],
  ["claude", "killed", ["codex"]],
  ["codex", "tools", ["claude"]],
  ["codex", "compacted-remote", ["claude"]],
  ["codex", "history-legacy-forked", ["claude"]],
];

/** Every captured store there and back, and further ways: `ASP_NATIVE=all`. */
function allCases(): Case[] {
  const everyStore = (home: HarnessId, hop: HarnessId) =>
    fixtureNames(home)
      .filter((name) => !(`${home}/${name}` in refusedBySource))
      .map((name): Case => [home, name, [hop]]);
  return [
    ...everyStore("claude", "codex"),
    ...everyStore("codex", "claude"),
    ["claude", "tools", ["pi"]],
    ["codex", "text", ["opencode"]],
    ["kimi", "tools", ["claude"]],
    ["kimi", "long-chat", ["codex"]],
    ["claude", "tools", ["kimi"]],
    ["claude", "tools", ["codex", "pi"]],
    ["codex", "tools", ["claude", "opencode"]],
  ];
}

async function everySession(home: HarnessId, root: string): Promise<SessionRef[]> {
  const { converter } = harnesses[home];
  const store = await converter.open(root, diskSource, environment);
  return Array.fromAsync(converter.sessions.list(store, { source: diskSource, environment }));
}

test.each(process.env.ASP_NATIVE === "all" ? allCases() : quick)(
  "%s %s by way of %s",
  async (home, name, hops) => {
    const root = join(fixturesRoot, home, name, harnesses[home].store);
    for (const ref of await everySession(home, root)) {
      const asked = { session: ref.id, prompt: "And then?", turns: ["Home."] };
      const source = await natives[home](root, asked);
      let at = { harness: home, root, session: ref.id };
      for (const hop of hops) {
        const out = await mkdtemp(join(scratch, `${hop}-`));
        const report = await convertTo(hop, at.harness, at.root, at.session, out);
        const session = report.sessions.find(({ parent }) => parent === undefined)?.newId ?? "";
        const turn = { session, prompt: `What do you say in ${hop}?`, turns: [`I am ${hop}.`] };
        at = { harness: hop, root: `${out}-left`, session };
        const resumed = await natives[hop](out, { ...turn, left: at.root });
        expect(resumed.answer, resumed.stderr).toBe(`I am ${hop}.`);
      }
      const before = await readFile(ref.path);
      const empty = await mkdtemp(join(scratch, `${home}-`));
      const full = `${empty}-full`;
      await cp(root, full, { recursive: true, preserveTimestamps: true });
      for (const out of [empty, full]) {
        const report = await convertTo(home, at.harness, at.root, at.session, out);
        const [session] = report.sessions;
        expect(session?.how, JSON.stringify(report.losses.filter(({ axis }) => axis === "lineage"))).toBe(
          "returned",
        );
        expect(session?.newId === ref.id).toBe(out === empty);
        const after = await readFile(session?.files[0] ?? "");
        // Codex goes by the id in the first line: under a new one a line stands before it.
        const from = home === "codex" && out === full ? after.indexOf(0x0a) + 1 : 0;
        expect(after.subarray(from, from + before.length).equals(before)).toBe(true);
        const resumed = await natives[home](out, { ...asked, session: session?.newId ?? "" });
        expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0, answer: "Home." });
        expect(thoughts(resumed.request)).toEqual(thoughts(source.request));
        const differ = compareRequests(source.request ?? {}, resumed.request ?? {}, asked.prompt);
        expect({ ...differ, extra: differ.extra.map(({ text }) => text) }).toMatchObject({
          extra: hops.flatMap((hop) => [`What do you say in ${hop}?`, `I am ${hop}.`]),
          missing: [],
          order: 1,
        });
      }
    }
  },
);

const carried: readonly Case[] = [
  ["claude", "tools", ["codex"]],
  ["codex", "tools", ["claude"]],
];

test.each(carried)("%s %s by way of %s, home on a machine that knows nothing", async (home, name, [hop]) => {
  const root = join(fixturesRoot, home, name, harnesses[home].store);
  const [ref] = await everySession(home, root);
  if (!ref || !hop) throw new Error("nothing to convert");
  const out = await mkdtemp(join(scratch, `${hop}-`));
  const plain = await mkdtemp(join(scratch, `${hop}-`));
  const turn = { prompt: "What else?", turns: ["Nothing else."] };
  const sent = [];
  for (const [store, carry] of [
    [plain, false],
    [out, true],
  ] as const) {
    const report = await convertTo(hop, home, root, ref.id, store, carry);
    const session = report.sessions.find(({ parent }) => parent === undefined)?.newId ?? "";
    const resumed = await natives[hop](store, { ...turn, session, left: `${store}-left` });
    expect(resumed.answer, resumed.stderr).toBe("Nothing else.");
    // The real program has it in its file, and sends nothing of it.
    expect(JSON.stringify(resumed.requests.map(({ body }) => body))).not.toMatch(/asp.evidence|\\"piece\\"/);
    sent.push({ session, request: resumed.request ?? {} });
  }
  const [without, withIt] = sent;
  const differ = compareRequests(without?.request ?? {}, withIt?.request ?? {}, turn.prompt);
  expect(differ).toMatchObject({ extra: [], missing: [], order: 1 });

  trail = trailIn("another machine");
  const back = await convertTo(
    home,
    hop,
    `${out}-left`,
    withIt?.session ?? "",
    await mkdtemp(join(scratch, "home-")),
  );
  expect(back.sessions[0]).toMatchObject({ how: "returned", newId: ref.id });
  const [before, after] = [await readFile(ref.path), await readFile(back.sessions[0]?.files[0] ?? "")];
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
  expect(after.subarray(before.length).toString("utf8")).toContain("Nothing else.");
});
