import { zstdCompressSync } from "node:zlib";
import { carryOut, readAll, sessionsIn, sourceOf } from "@asp-convert/conformance/toolbox";
import type { Target } from "@asp-convert/core";
import { beforeEach, describe, expect, test } from "vitest";
import * as r from "../../test-kit/rollout.js";
import codex from "../index.js";

beforeEach(r.restart);

type Files = Record<string, string | Uint8Array>;

async function replay(files: Files, id: string, more: Partial<Target> = {}, present: Files = {}) {
  const store = await r.opened(files);
  const there = new Map(
    Object.entries(present).map(([path, content]): [string, Uint8Array] => [path, Buffer.from(content)]),
  );
  const target: Target = {
    root: "/t",
    environment: { env: {}, home: "/h", platform: "linux", cwd: "/" },
    source: sourceOf(there),
    copy: 0,
    ...more,
  };
  const plan = await codex.sessions.replay(r.only(store, id), store.source, target);
  const made = await carryOut(plan, there);
  return {
    plan,
    made,
    text: new Map([...made].map(([path, bytes]) => [path, Buffer.from(bytes).toString("utf8")])),
  };
}

async function talkOf(made: ReadonlyMap<string, Uint8Array>, id: string) {
  const source = sourceOf(new Map(made));
  const ref = r.only({ source, refs: await sessionsIn(codex, "/t", source) }, id);
  return { ref, talk: r.talk((await readAll(codex, ref, source)).events) };
}

const parent = () =>
  r.jsonl(r.numbered([r.meta({ id: r.OTHER }), r.user("one"), r.assistant("1"), r.user("two")]));
function forked(): Files {
  const before = parent();
  const end = Buffer.byteLength(before.split("\n").slice(0, 3).join("\n")) + 1;
  const base = { thread_id: r.OTHER, end_ordinal_exclusive: 3, end_byte_offset: end };
  return {
    [r.pathOf(r.OTHER, "2026-11-30T09-00-00")]: before,
    [r.pathOf()]: r.jsonl(
      r.numbered([r.meta({ forked_from_id: r.OTHER, history_base: base }), r.user("other")], 3),
    ),
  };
}
const moved = (path: string) => path.replace(r.ROOT, "/t");

describe("under its own id", () => {
  test("every byte, of ancestors too, at its own place", async () => {
    const files = forked();
    const { plan, text } = await replay(files, r.ID);
    expect(plan.id).toBe(r.ID);
    expect(Object.fromEntries(text)).toEqual(
      Object.fromEntries(Object.entries(files).map(([path, content]) => [moved(path), content])),
    );
  });
  test("a packed file stays packed", async () => {
    const packed = zstdCompressSync(Buffer.from(r.jsonl([r.meta(), r.user("q")])));
    const path = `${r.ROOT}/archived_sessions/rollout-2026-11-30T10-00-00-${r.ID}.jsonl.zst`;
    const { made } = await replay({ [path]: packed }, r.ID);
    expect(Buffer.from(made.get(moved(path)) ?? []).equals(packed)).toBe(true);
  });
  test("a parent that went on where it goes to is left as it is", async () => {
    const files = forked();
    const path = r.pathOf(r.OTHER, "2026-11-30T09-00-00");
    const grown = `${files[path]}${r.jsonl([r.user("three")])}`;
    const { made } = await replay(files, r.ID, {}, { [moved(path)]: grown });
    expect([...made.keys()]).toEqual([moved(r.pathOf())]);
    await expect(replay(files, r.ID, {}, { [moved(path)]: "something else\n" })).rejects.toThrow(
      /would replace/,
    );
  });
});

describe("as a copy", () => {
  test("its id changes in name and head, and nothing else", async () => {
    const lines = [
      r.meta({ session_id: r.ID }),
      r.user(`the id ${r.ID} in a text`),
      r.said("item_completed", { thread_id: r.ID }),
    ];
    const { plan, text } = await replay({ [r.pathOf()]: r.jsonl(lines) }, r.ID, { copy: 1 });
    const [[path, content] = ["", ""]] = [...text];
    expect(plan.id).not.toBe(r.ID);
    expect(path).toBe(moved(r.pathOf(plan.id)));
    const [head, ...rest] = content.split("\n");
    expect(JSON.parse(head ?? "").payload).toEqual({
      ...lines[0]?.payload,
      id: plan.id,
      session_id: plan.id,
    });
    expect(rest.join("\n")).toBe(r.jsonl(lines.slice(1)));
  });
  test("in another folder: where the folder is structure, not where it is said", async () => {
    const context = r.line("turn_context", {
      cwd: "/home/dev/demo",
      model: "m",
      workspace_roots: ["/home/dev/demo"],
    });
    const lines = [
      r.meta({ runtime_workspace_roots: ["/home/dev/demo"] }),
      context,
      r.user('my "cwd":"/home/dev/demo" is /home/dev/demo'),
    ];
    const { text } = await replay({ [r.pathOf()]: r.jsonl(lines) }, r.ID, { cwd: "/srv/new" });
    const [head, second, third] = [...text.values()][0]?.split("\n") ?? [];
    expect(JSON.parse(head ?? "").payload).toMatchObject({
      cwd: "/srv/new",
      runtime_workspace_roots: ["/srv/new"],
    });
    expect(JSON.parse(second ?? "").payload.cwd).toBe("/srv/new");
    expect(third).toBe(JSON.stringify(lines[2]));
  });
  test("a fork becomes self-contained", async () => {
    const { plan, made } = await replay(forked(), r.ID, { copy: 1 });
    expect(made.size).toBe(1);
    const { ref, talk } = await talkOf(made, plan.id);
    expect(talk).toEqual(["user: one", "assistant: 1", "user: other"]);
    expect(ref.parent).toEqual({ id: r.OTHER, relation: "fork" });
  });
  test("subagents are copied along, bound to the copy", async () => {
    const child = r.meta({
      id: r.OTHER,
      session_id: r.ID,
      parent_thread_id: r.ID,
      source: { subagent: { thread_spawn: { parent_thread_id: r.ID, depth: 1 } } },
    });
    const files = {
      [r.pathOf()]: r.jsonl([r.meta(), r.user("q")]),
      [r.pathOf(r.OTHER)]: r.jsonl([child, r.user("sub")]),
    };
    const { plan, made } = await replay(files, r.ID, { copy: 1 });
    const { ref } = await talkOf(made, plan.id);
    expect(ref.children).toMatchObject([
      { id: plan.children[0]?.id, parent: { id: plan.id, relation: "subagent" } },
    ]);
    expect(plan.children[0]?.id).not.toBe(r.OTHER);
  });
});
