/**
 * The five kinds beside sessions over the wire: what arrives is what a conversion on this machine writes; what would run, and
 * what is secret, comes along only if it was allowed when the program was started.
 */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Holder } from "@asp-convert/acp";
import { ImportAnswer } from "@asp-convert/acp/schema";
import { undo } from "@asp-convert/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { harness, makeWorld, move, snapshot, type World } from "../state/world.js";
import { exported, held, imported, signal } from "./support.js";

const ALL = ["instructions", "skills", "tools", "memory", "settings"];
const SECRET = "sk-verysecretvalue123";

let world: World;
let project: string;

beforeEach(() => {
  world = makeWorld();
  world.put("claude/project/project", "one");
  world.put("claude/project/config", "claude");
  project = realpathSync(world.path("one"));
  put("claude/.claude.json", {
    mcpServers: {
      stdio: { type: "stdio", command: "node", args: ["server.js"], env: { API_TOKEN: SECRET } },
      http: { type: "http", url: "https://example.com/mcp", headers: {} },
    },
  });
  const slug = project.replace(/[^A-Za-z0-9]/g, "-");
  put(`claude/projects/${slug}/memory/MEMORY.md`, "- [Likes tabs](likes-tabs.md) — indentation\n");
  put(
    `claude/projects/${slug}/memory/likes-tabs.md`,
    "---\nname: likes-tabs\ndescription: Tabs.\n---\nTabs.\n",
  );
  put("claude/skills/binary/SKILL.md", "---\nname: binary\ndescription: Has a picture.\n---\nLook.\n");
  writeFileSync(world.path("claude/skills/binary/a.bin"), Buffer.from([0, 255, 1, 254, 10, 13]));
  writeFileSync(world.path("claude/skills/binary/run.sh"), "#!/bin/sh\necho hi\n", { mode: 0o755 });
});
afterEach(() => world.remove());

function put(name: string, content: string | object): void {
  const path = world.path(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

const of = (id: keyof typeof harness, folder: string, allowTools: boolean) =>
  new Holder(held(harness[id], world.path(folder), world.environment, { projects: [project], allowTools }));

describe.each(["codex", "opencode", "claude"] as const)("claude → %s", (to) => {
  test("as a conversion would, what runs included where it is allowed", async () => {
    const from = of("claude", "claude", false);
    const pages = await exported(from, ALL);
    const text = JSON.stringify(pages);
    expect(text).not.toContain(SECRET);
    const counts = await from.describe(signal);
    const { state } = pages[0] ?? { state: {} };
    expect(
      Object.keys(state)
        .filter((kind) => kind !== "_meta")
        .sort(),
    ).toEqual(
      Object.keys(counts)
        .filter((kind) => kind !== "sessions")
        .sort(),
    );
    expect(state.tools).toHaveLength(2);
    expect(state.memory?.map(({ path }) => path).join()).toContain("likes-tabs.md");

    // The project is written to as well: one after the other, each from the same beginning.
    const [answer] = await imported(of(to, "target", true), pages);
    const over = { store: snapshot(world.path("target")), project: snapshot(project) };
    for (const receipt of [...(answer?._meta?.asp?.receipts ?? [])].reverse())
      await undo(receipt, world.environment);
    const report = await move(world, {
      from: "claude",
      store: world.path("claude"),
      to,
      root: world.path("target"),
      projects: [project],
      state: { includeSecrets: false },
    });
    const left = (list: readonly { kind: string; item?: string | undefined }[]) =>
      list.map(({ kind, item }) => `${kind} ${item}`).sort();
    expect(left(answer?.notTaken ?? [])).toEqual(left(report.notTaken));
    const direct = { store: snapshot(world.path("target")), project: snapshot(project) };
    expect([...over.store.keys()]).toEqual([...direct.store.keys()]);
    expect(over.project).toEqual(direct.project);
    for (const [path, content] of direct.store) expect(over.store.get(path)).toBe(content);
    const bin = [...direct.store].find(([path]) => path.endsWith("a.bin"))?.[1];
    if (bin !== undefined) expect(bin).toContain("\u0000\u00ff\u0001\u00fe");
  });

  test("nothing that runs without consent, and it says so", async () => {
    const pages = await exported(of("claude", "claude", false), ["tools"]);
    const [answer] = await imported(of(to, "over", false), pages);
    for (const item of ["stdio", "http"]) {
      const said = answer?.notTaken.find((each) => each.item === item);
      expect(said).toMatchObject({ kind: "tools", reason: expect.stringContaining("--allow-tools") });
    }
    expect([...snapshot(world.path("over")).values()].join()).not.toContain("server.js");
  });
});

describe("from an agent that knows the protocol's text alone", () => {
  const take = async (state: object, allowTools = false) =>
    ImportAnswer.parse(await of("codex", "over", allowTools).answer("_asp/state/import", { state }, signal));
  const written = () =>
    [...snapshot(world.path("over")).entries()].map(([path, text]) => `${path} ${text}`).join("\n");

  test("every kind in its plain form", async () => {
    const answer = await take(
      {
        instructions: "# Rules\n\nBe brief.\n",
        skills: [
          {
            name: "pdf",
            files: [{ path: "SKILL.md", text: "---\nname: pdf\ndescription: Reads PDF.\n---\nBody\n" }],
          },
        ],
        tools: [{ name: "fs", command: "mcp-fs", args: ["--stdio"], env: [] }],
        memory: [{ path: "likes.md", text: "Likes tea.\n", source: "another harness" }],
        settings: { model: "gpt-5.5", effort: "high" },
        plugins: ["x"],
      },
      true,
    );
    expect(answer.taken).toEqual(expect.arrayContaining(["instructions", "skills", "tools"]));
    expect(answer.notTaken).toContainEqual({ kind: "plugins", reason: "this agent knows no such kind" });
    expect(written()).toContain("Be brief.");
    expect(written()).toContain("mcp-fs");
    expect(written()).toContain("Reads PDF.");
  });

  test("paths that lead out of their folder, and credentials, write nothing", async () => {
    const skill = (path: string) => ({
      skills: [
        {
          name: "bad",
          files: [
            { path: "SKILL.md", text: "---\nname: bad\ndescription: Bad.\n---\n" },
            { path, text: "PAYLOAD" },
          ],
        },
      ],
    });
    for (const path of ["../../x", "/etc/x", "a/../../../x", "a\u0000b"]) {
      const answer = await take(skill(path));
      expect(answer.notTaken).toMatchObject([{ kind: "skills", item: "bad" }]);
    }
    await take(skill("auth.json"));
    await take({ memory: [{ path: "../../evil.md", text: "A note of that name, inside.\n" }] });
    await take({
      skills: [{ name: "../up", files: [{ path: "SKILL.md", text: "---\nname: up\n---\nPAYLOAD" }] }],
    });
    expect(written()).not.toContain("PAYLOAD");
    const outside = [...snapshot(world.home).keys()].filter(
      (path) => !/^(over|claude|one|[.]local)\//.test(path),
    );
    expect(outside).toEqual([]);
  });
});

describe("large", () => {
  const id = "aaaaaaaa-0000-4000-8000-0000000000aa";
  const record = (n: number, text: string) => ({
    type: n % 2 === 0 ? "user" : "assistant",
    uuid: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    parentUuid: n === 0 ? null : `00000000-0000-4000-8000-${String(n - 1).padStart(12, "0")}`,
    sessionId: id,
    cwd: "/home/dev/demo",
    version: "2.1.332",
    timestamp: new Date(1_790_000_000_000 + n * 1000).toISOString(),
    message:
      n % 2 === 0
        ? { role: "user", content: text }
        : {
            id: `msg_${n}`,
            type: "message",
            role: "assistant",
            model: "m",
            content: [{ type: "text", text }],
          },
  });

  test("45 MB of a conversation, one message of 14 MB in it, arrive in messages below 32 MiB", async () => {
    const texts = Array.from({ length: 32 }, (_, n) => `${n} ${"word ".repeat(200_000)}`);
    texts.push("14 MB: ".padEnd(14 * 1024 * 1024, "é"), "the end");
    put(
      `big/projects/-home-dev-demo/${id}.jsonl`,
      `${texts.map((text, n) => JSON.stringify(record(n, text))).join("\n")}\n`,
    );
    const from = new Holder(held(harness.claude, world.path("big"), world.environment));
    const pages = await exported(from, ["sessions"]);
    expect(pages.length).toBeGreaterThan(3);
    const to = new Holder(held(harness.codex, world.path("over"), world.environment));
    const answers = await imported(to, pages);
    expect(answers.at(-1)?.sessions).toEqual({ [id]: expect.any(String) });
    // Until its last part is there a conversation is not taken, and that is said.
    expect(answers[0]).toMatchObject({ sessions: {}, _meta: { asp: { waiting: [id] } } });
    const [ref] = await to.sessions(signal);
    const said: string[] = [];
    if (ref) {
      const { updateReader } = await import("@asp-convert/acp");
      const reader = updateReader();
      const origin = { record: 0, file: 0, offset: 0, length: 0 };
      for await (const update of to.updates(ref, true, signal))
        for (const event of reader.push(JSON.parse(JSON.stringify(update)), origin))
          if (event.type === "message.completed")
            for (const block of event.payload.blocks) if (block.type === "text") said.push(block.text);
    }
    for (const text of texts) expect(said.includes(text.trim()) || said.includes(text)).toBe(true);
    await to.close();
  }, 60_000);

  test("a conversation beside a different version of its own is a copy of its own name", async () => {
    const file = (folder: string) => `${folder}/projects/-home-dev-demo/${id}.jsonl`;
    const text = (words: string[]) =>
      `${words.map((word, n) => JSON.stringify(record(n, word))).join("\n")}\n`;
    put(file("here"), text(["hello", "hi", "and then?", "that."]));
    put(file("there"), text(["hello", "hi", "another way", "this."]));
    put(file("same"), text(["hello", "hi", "and then?", "that.", "more", "of it"]));
    const pages = await exported(new Holder(held(harness.claude, world.path("here"), world.environment)), [
      "sessions",
    ]);
    // As another harness would hand it over under the id it has here.
    for (const { state } of pages) for (const session of state.sessions ?? []) session.harness = "codex";
    const there = new Holder(held(harness.claude, world.path("there"), world.environment));
    const [answer] = await imported(there, pages);
    const copy = answer?.sessions[id] ?? "";
    expect(copy).not.toBe(id);
    expect(answer?._meta?.asp?.names).toEqual({ [copy]: `${id}~codex` });
    const refs = await there.sessions(signal);
    expect(refs.map((ref) => ref.id).sort()).toEqual([copy, id].sort());
    expect(refs.find((ref) => ref.id === copy)?.title).toMatch(/~codex$/);
    // The same once more is the same copy; a store that has all of it, and more, needs none.
    expect((await imported(there, pages))[0]?.sessions).toEqual({ [id]: copy });
    const same = new Holder(held(harness.claude, world.path("same"), world.environment));
    expect((await imported(same, pages))[0]?.sessions).toEqual({ [id]: id });
    expect(await same.sessions(signal)).toHaveLength(1);
  });
});

test("one bad conversation does not keep the others", async () => {
  const to = new Holder(held(harness.codex, world.path("over"), world.environment));
  const good = { sessionId: "good", cwd: "/w", updates: [chunk("user", "hi"), chunk("agent", "hello")] };
  const answer = ImportAnswer.parse(
    await to.answer(
      "_asp/state/import",
      {
        state: {
          sessions: [
            { sessionId: "bad", updates: [] },
            good,
            { ...good, sessionId: "odd", cwd: "not/absolute" },
          ],
        },
      },
      signal,
    ),
  );
  expect(answer.sessions).toHaveProperty("good");
});

function chunk(who: "user" | "agent", text: string) {
  return { sessionUpdate: `${who}_message_chunk`, content: { type: "text", text } };
}
