import { readAll, sourceOf } from "@asp-convert/conformance/toolbox";
import { LossLedger, type SessionEvent, type SessionInput, type SessionPlan } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import {
  answer,
  FOLDER,
  ID,
  type Line,
  listed,
  metadata,
  shortly,
  store,
  user,
  WIRE,
} from "../../test-kit/session.js";
import kimi from "../index.js";

const origin = [{ record: 0, file: 0, offset: 0, length: 1 }];
const said = (role: "user" | "assistant", text: string): SessionEvent => ({
  type: "message.completed",
  payload: { messageId: text, role, blocks: [{ type: "text", text }] },
  nativeId: text,
  time: "2026-12-01T10:00:00.000Z",
  origin,
});

async function home(
  lines: readonly Line[],
  events: readonly SessionEvent[],
  { copy = 0, children = 0, cut = 0 }: { copy?: number; children?: number; cut?: number } = {},
) {
  const files = store([metadata, ...lines], { agents: { main: {} }, title: "Mine", titleKind: "custom" });
  const wire = files.get(WIRE) ?? Buffer.alloc(0);
  files.set(WIRE, wire.subarray(0, wire.length - cut));
  files.set(`${FOLDER}/notify/state.json`, Buffer.from('{"enabled":false}'));
  files.set(`${FOLDER}/agents/agent-0/wire.jsonl`, Buffer.from(`${JSON.stringify(user("ask"))}\n`));
  const source = sourceOf(files);
  const [ref] = await listed(files);
  if (!ref) throw new Error("no session is listed");
  const inputOf = (
    of: typeof ref,
    told: readonly SessionEvent[],
    below: SessionInput[] = [],
  ): SessionInput => ({
    ref: of,
    ledger: new LossLedger(of.id),
    source,
    children: below,
    async *events() {
      yield* told;
    },
  });
  const abroad = { ...ref, harness: "claude", id: "abroad", children: [] };
  const below = Array.from({ length: children }, (_, i) =>
    inputOf({ ...abroad, id: `child-${i}`, parent: { id: "abroad", relation: "subagent" } }, [
      said("user", "new ask"),
    ]),
  );
  const target = {
    root: "/asp/home",
    environment: { env: {}, home: "/home/dev", platform: "linux", cwd: "/" },
    source: sourceOf(new Map()),
    copy,
  } as const;
  const base = {
    ...inputOf(ref, []),
    events: () => kimi.sessions.read(ref, { ...target, source, ledger: new LossLedger("") }),
  };
  const plan = await kimi.sessions.extend?.(base, inputOf(abroad, events, below), target);
  if (!plan) throw new Error("it extends nothing");
  const made = new Map<string, Buffer>();
  const carry = async ({ actions, children: more }: SessionPlan): Promise<void> => {
    for (const action of actions) {
      if (action.do !== "create") throw new Error(action.do);
      const parts: Uint8Array[] = [];
      if (typeof action.content === "function")
        for await (const part of action.content()) parts.push(Buffer.from(part));
      else parts.push(Buffer.from(action.content));
      made.set(action.path, Buffer.concat(parts));
    }
    for (const child of more) await carry(child);
  };
  await carry(plan);
  return { plan, made, before: files.get(WIRE) as Uint8Array };
}

const talk = [user("one"), ...answer("s", "first")];

describe("a session that comes home", () => {
  test.each([0, 1])("is what it was, and then what was said elsewhere (copy %i)", async (copy) => {
    const { plan, made, before } = await home(talk, [said("user", "there"), said("assistant", "yes")], {
      copy,
    });
    expect(plan.id === ID).toBe(copy === 0);
    const wire = [...made].find(([path]) => path.endsWith("agents/main/wire.jsonl"));
    expect(wire?.[1].subarray(0, before.length).equals(before)).toBe(true);
    const [ref] = await listed(made, "/asp/home");
    if (!ref) throw new Error("it is not listed");
    const { events } = await readAll(kimi, ref, sourceOf(made));
    expect(events.flatMap(shortly)).toEqual([
      "user: one",
      "assistant: first",
      "user: there",
      "assistant: yes",
    ]);
    expect(ref).toMatchObject({ title: "Mine", titleFrom: "user", updatedAt: "2026-12-01T10:00:00.000Z" });
    const notify = [...made].find(([path]) => path.endsWith("notify/state.json"));
    expect(String(notify?.[1])).toBe('{"enabled":false}');
  });

  test("has agents that are new under names that nobody had", async () => {
    const { made } = await home(talk, [said("user", "there")], { children: 2 });
    const [ref] = await listed(made, "/asp/home");
    expect(ref?.children.map(({ id }) => id)).toEqual([0, 1, 2].map((i) => `${ID}.agent-${i}`));
  });

  test("whose last line is cut off is refused: the program would read nothing after it", async () => {
    await expect(home(talk, [said("user", "there")], { cut: 9 })).rejects.toThrow(/cut off/);
  });
});
