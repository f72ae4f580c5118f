import type { SessionRef } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import { CommandError, UsageError } from "./errors.js";
import { selectSessions } from "./select.js";
import type { Terminal } from "./terminal.js";

const ref = (id: string, more: Partial<SessionRef> = {}): SessionRef => ({
  harness: "claude",
  id,
  path: `/s/${id}.jsonl`,
  files: [],
  size: 1,
  children: [],
  ...more,
});
const refs = [ref("aa11", { title: "new\u001b[2J" }), ref("aa22"), ref("bb33", { children: [ref("cc44")] })];

function terminal(): { terminal: Terminal; said: string[] } {
  const said: string[] = [];
  return {
    said,
    terminal: { interactive: false, say: (text: string) => said.push(text) } as unknown as Terminal,
  };
}

const pick = async (options: Parameters<typeof selectSessions>[1], from: readonly SessionRef[] = refs) =>
  (await selectSessions({ refs: [...from], unreadable: [] }, options, "~/.claude", terminal().terminal)).map(
    ({ id }) => id,
  );

test("of several the newest is taken and said so, with how to get the others", async () => {
  const { terminal: t, said } = terminal();
  expect(await selectSessions({ refs, unreadable: [] }, {}, "~/.claude", t)).toEqual([refs[0]]);
  expect(said).toEqual(["the newest of 3 sessions: aa11 “new”. Others: --session ID, or --all"]);
});

test("the only one needs no words", async () => {
  const { terminal: t, said } = terminal();
  expect(await selectSessions({ refs: refs.slice(0, 1), unreadable: [] }, {}, "", t)).toEqual([refs[0]]);
  expect(said).toEqual([]);
});

test("--latest, --all, --session by id, by its beginning, and of a subagent", async () => {
  expect(await pick({ latest: true })).toEqual(["aa11"]);
  expect(await pick({ all: true })).toEqual(["aa11", "aa22", "bb33"]);
  expect(await pick({ session: ["aa22", "b"] })).toEqual(["aa22", "bb33"]);
  expect(await pick({ session: ["cc44"] })).toEqual(["cc44"]);
  expect(await pick({ session: ["aa22", "aa22"] })).toEqual(["aa22"]);
});

test("a beginning of two ids is no choice, and an unknown one is named", async () => {
  await expect(pick({ session: ["aa"] })).rejects.toThrow(UsageError);
  await expect(pick({ session: ["aa"] })).rejects.toThrow(/aa11, aa22$/);
  await expect(
    pick(
      { session: ["aa"] },
      ["1", "2", "3", "4"].map((n) => ref(`aa${n}`)),
    ),
  ).rejects.toThrow(/aa1, aa2, aa3 …$/);
  await expect(pick({ session: ["zz"] })).rejects.toThrow(/no session "zz" among 3 sessions/);
});

test("no id at all is no choice, even where only one session is there", async () => {
  await expect(pick({ session: [""] }, refs.slice(0, 1))).rejects.toThrow(UsageError);
});

test("an empty store is said to be empty", async () => {
  await expect(pick({ all: true }, [])).rejects.toThrow(CommandError);
});

describe("what cannot be read", () => {
  const unreadable = [{ path: "/s/dd55.jsonl", reason: "may not be read (permission denied)" }];
  const choose = (options: Parameters<typeof selectSessions>[1], from: readonly SessionRef[]) =>
    selectSessions({ refs: [...from], unreadable }, options, "~/.claude", terminal().terminal);

  test("is the reason where it is what was asked for, or all there is", async () => {
    await expect(choose({ session: ["dd55"] }, refs)).rejects.toThrow(/^\/s\/dd55\.jsonl: may not be read/);
    await expect(choose({ all: true }, [])).rejects.toThrow(/^\/s\/dd55\.jsonl: may not be read/);
  });

  test("is no reason to leave the others", async () => {
    expect(await choose({ all: true }, refs)).toEqual(refs);
    await expect(choose({ session: ["zz"] }, refs)).rejects.toThrow(/no session "zz"/);
  });
});
