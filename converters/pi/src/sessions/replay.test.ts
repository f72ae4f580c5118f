import {
  carryOut,
  ENVIRONMENT,
  type Files,
  readAll,
  sourceOf,
  talkOf,
} from "@asp-convert/conformance/toolbox";
import type { SessionPlan, SessionRef } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import * as kit from "../../test-kit/session.js";
import pi from "../index.js";

const { answer, chain, header, listed, onlyOne, store, user, written } = kit;
const TALK = chain({ a: user("one"), b: answer("two") });

async function replayed(files: Files, ref: SessionRef, change: { copy?: number; cwd?: string } = {}) {
  const source = sourceOf(files);
  const target = {
    root: kit.ROOT,
    environment: ENVIRONMENT,
    source: sourceOf(new Map()),
    copy: 0,
    ...change,
  };
  const plan: SessionPlan = await pi.sessions.replay(ref, source, target);
  return { plan, files: await carryOut(plan) };
}

const text = (files: Files) => Buffer.from([...files.values()][0] ?? []).toString("utf8");

describe("under its own id", () => {
  test("every byte stays, in its own place", async () => {
    const odd = Buffer.concat([
      kit.fileOf([header(), ...TALK]),
      Buffer.from([0xff, 0, 0x7b]),
      Buffer.from("\r\n\n"),
    ]);
    const files: Files = new Map([[kit.PATH, odd]]);
    const copy = await replayed(files, await onlyOne(files));
    expect(copy.files).toEqual(files);
    expect(copy.plan).toMatchObject({ id: "s1", cwd: "/home/dev/demo" });
  });

  test("a session from elsewhere gets the place that it would have", async () => {
    const files: Files = new Map([["/flat/any.jsonl", kit.fileOf([header(), ...TALK])]]);
    const copy = await replayed(files, await onlyOne(files, "/flat"));
    expect([...copy.files.keys()]).toEqual([kit.PATH]);
    expect(text(copy.files)).toBe(text(files));
  });
});

describe("as a copy", () => {
  test.each([
    ["another one", { copy: 1 }, "/home/dev/demo"],
    ["in another folder", { cwd: "/srv/x" }, "/srv/x"],
  ])("%s: the header alone is another", async (_, change, cwd) => {
    const files = store(header({ parentSession: "/p", more: [1] }), ...TALK);
    const { plan, files: made } = await replayed(files, await onlyOne(files), change);
    const [first, ...rest] = text(made).split("\n");
    expect(plan.id).not.toBe("s1");
    expect(JSON.parse(first ?? "")).toEqual({
      ...header({ parentSession: "/p", more: [1] }),
      id: plan.id,
      cwd,
    });
    expect(rest.join("\n")).toBe(text(files).split("\n").slice(1).join("\n"));
    expect([...made.keys()][0]).toContain(cwd === "/srv/x" ? "--srv-x--" : "--home-dev-demo--");
  });

  test("the same copy has the same id", async () => {
    const files = store(header(), ...TALK);
    const ref = await onlyOne(files);
    const ids = await Promise.all(
      [1, 1, 2].map(async (copy) => (await replayed(files, ref, { copy })).plan.id),
    );
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test.each([
    ["a byte order mark before the header", (all: string) => `\uFEFF${all}`],
    ["records glued to it", (all: string) => all.replaceAll("}\n{", "}{")],
    ["Windows' line ends", (all: string) => all.replaceAll("\n", "\r\n")],
    ["zero bytes before it", (all: string) => "\0\0\0\n".concat(all)],
    ["no header at all", (all: string) => all.slice(all.indexOf("\n") + 1)],
  ])("is found and says the same with %s", async (_, damage) => {
    const whole = text(store(header(), ...TALK));
    const files: Files = new Map([[kit.PATH, Buffer.from(damage(whole))]]);
    const ref = await onlyOne(files);
    const { plan, files: made } = await replayed(files, ref, { copy: 1 });
    const copy = await onlyOne(made);
    expect(copy.id).toBe(plan.id);
    const said = async (all: Files, of: SessionRef) => talkOf((await readAll(pi, of, sourceOf(all))).events);
    expect(await said(made, copy)).toEqual(await said(files, ref));
  });
});

describe("with subagents", () => {
  const CHILD = "/store/sessions/--home-dev-demo--/2026-11-30T10-00-00-000Z_child.jsonl";
  const below = (session: string) => ({
    type: "custom",
    customType: "asp.provenance",
    data: {
      converted_from: { harness: "x", session_id: "y" },
      subagent_of: { session_id: session, tool_call_id: "c" },
    },
  });
  const files: Files = new Map([
    [kit.PATH, kit.fileOf([header(), ...TALK])],
    [
      CHILD,
      kit.fileOf([
        header({ id: "child", parentSession: kit.PATH }),
        ...chain({ p: below("s1"), a: user("do") }),
      ]),
    ],
  ]);

  test("they stand inside the session that started them", async () => {
    const [ref, more] = await listed(files);
    expect(more).toBeUndefined();
    expect(ref?.children).toMatchObject([
      { id: "child", parent: { id: "s1", relation: "subagent", toolCallId: "c" } },
    ]);
    // Also where only the session's own file was pointed at, and by themselves where theirs was.
    expect((await onlyOne(files, kit.PATH)).children).toHaveLength(1);
    expect((await onlyOne(files, CHILD)).id).toBe("child");
  });

  test("they go along, and a copy's are the copy's", async () => {
    const [ref] = await listed(files);
    if (!ref) throw new Error("nothing is listed");
    expect((await replayed(files, ref)).files).toEqual(files);
    const { plan, files: made } = await replayed(files, ref, { copy: 1 });
    const [copy, more] = await listed(made);
    expect(more).toBeUndefined();
    expect(copy).toMatchObject({ id: plan.id, children: [{ parent: { id: plan.id, toolCallId: "c" } }] });
    expect(copy?.children[0]?.id).not.toBe("child");
  });

  test("another harness's are written beside their session, and read inside it", async () => {
    const [ref] = await listed(files);
    const { lines } = await written([], { ...ref, harness: "sample", children: [] });
    expect(lines[1]).toMatchObject({ data: { converted_from: { harness: "sample", session_id: "s1" } } });
    const copy = await kit.rewritten(new Map([...files].slice(0, 1)), (own) => ({
      ...own,
      children: [{ ...own, id: "child", parent: { id: own.id, relation: "subagent", toolCallId: "c" } }],
    }));
    expect(copy.losses.some((loss) => loss.startsWith("subagents"))).toBe(false);
    const [top] = await listed(copy.files, kit.TARGET_ROOT);
    expect(top).toMatchObject({
      id: copy.plan.id,
      children: [{ parent: { id: copy.plan.id, toolCallId: "c" } }],
    });
  });
});
