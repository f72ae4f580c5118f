import { type Files, sourceOf } from "@asp-convert/conformance/toolbox";
import { type Converter, candidateOf } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import * as kit from "../test-kit/session.js";
import pi, { ohMyPi, openClaw } from "./index.js";

const session = kit.fileOf([kit.header(), ...kit.chain({ a: kit.user("x") })]);
const titled = kit.fileOf([{ type: "title", title: "T" }, kit.header(), ...kit.chain({ a: kit.user("x") })]);
const reset = kit.fileOf([kit.header(), ...kit.chain({ a: kit.user("x"), r: { type: "reset_boundary" } })]);
const bootstrapped = kit.fileOf([
  kit.header(),
  ...kit.chain({ b: { type: "custom", customType: "openclaw:bootstrap-context:full" }, a: kit.user("x") }),
]);
/** A talk about them is none of theirs. */
const about = kit.fileOf([
  kit.header(),
  ...kit.chain({ a: kit.user('{"customType":"openclaw:x"} {"type":"reset_boundary"}') }),
]);
const nothing = Buffer.from("{}\n");

const FILES: Files = new Map<string, Uint8Array>([
  ["/home/.pi/agent/sessions/--x--/a.jsonl", session],
  ["/home/.pi/agent/settings.json", nothing],
  ["/pi-dir/settings.json", nothing],
  ["/pi-dir/models.json", nothing],
  ["/pi-dir/trust.json", nothing],
  ["/flat/a.jsonl", session],
  ["/app/.pi/settings.json", nothing],
  ["/home/.omp/agent/sessions/-src-app/a.jsonl", titled],
  ["/moved/b.jsonl", titled],
  ["/home/.openclaw/agents/main/sessions/a.jsonl", session],
  ["/home/.openclaw/agents/main/sessions/sessions.json", nothing],
  ["/claw/agents/main/sessions/b.jsonl", session],
  ["/claw/agents/main/sessions/sessions.json", nothing],
  ["/alone/omp.jsonl", reset],
  ["/alone/claw.jsonl", bootstrapped],
  ["/alone/pi.jsonl", about],
  ["/other/a.jsonl", Buffer.from('{"type":"user","message":{"role":"user"},"sessionId":"x"}\n')],
  ["/other/b.jsonl", Buffer.from('{"type":"session_meta","payload":{"id":"x"}}\n')],
  ["/other/c.jsonl", Buffer.from('{"type":"session"}\n')],
  ["/other/d.jsonl", Buffer.from("not JSON\n")],
]);
const source = sourceOf(FILES);
const score = async (converter: Converter, path: string) => converter.probe(await candidateOf(path, source));

describe("each knows its own, and leaves the others'", () => {
  test.each<[string, Converter]>([
    ["/home/.pi/agent", pi],
    ["/home/.pi", pi],
    ["/home/.pi/agent/sessions", pi],
    ["/home/.pi/agent/sessions/--x--", pi],
    ["/home/.pi/agent/sessions/--x--/a.jsonl", pi],
    ["/pi-dir", pi],
    ["/flat", pi],
    ["/flat/a.jsonl", pi],
    ["/app", pi],
    ["/home/.omp/agent", ohMyPi],
    ["/home/.omp/agent/sessions/-src-app", ohMyPi],
    ["/home/.omp/agent/sessions/-src-app/a.jsonl", ohMyPi],
    ["/moved", ohMyPi],
    ["/moved/b.jsonl", ohMyPi],
    ["/home/.openclaw", openClaw],
    ["/home/.openclaw/agents/main/sessions/a.jsonl", openClaw],
    ["/claw", openClaw],
    ["/claw/agents/main/sessions", openClaw],
    ["/claw/agents/main/sessions/b.jsonl", openClaw],
    ["/alone/omp.jsonl", ohMyPi],
    ["/alone/claw.jsonl", openClaw],
    ["/alone/pi.jsonl", pi],
  ])("%s", async (path, owner) => {
    const own = await score(owner, path);
    expect(own).toBeGreaterThanOrEqual(40);
    for (const other of [pi, ohMyPi, openClaw])
      if (other !== owner) expect(await score(other, path), other.id).toBeLessThan(own);
  });

  test.each(["/other/a.jsonl", "/other/b.jsonl", "/other/c.jsonl", "/other/d.jsonl", "/other", "/home"])(
    "%s is nobody's",
    async (path) => {
      for (const converter of [pi, ohMyPi, openClaw]) expect(await score(converter, path)).toBe(0);
    },
  );
});

describe("the store of a path", () => {
  const environment = { env: {}, home: "/home", platform: "linux", cwd: "/" } as const;
  test.each<[Converter, string, object]>([
    [pi, "/home/.pi", { root: "/home/.pi/agent" }],
    [pi, "/home/.pi/agent", { root: "/home/.pi/agent" }],
    [
      pi,
      "/home/.pi/agent/sessions/--x--",
      { root: "/home/.pi/agent", focus: "/home/.pi/agent/sessions/--x--" },
    ],
    [pi, "/flat/a.jsonl", { root: "/flat", focus: "/flat/a.jsonl" }],
    [pi, "/app", { root: "/home/.pi/agent", project: "/app" }],
    [openClaw, "/claw", { root: "/claw" }],
    [
      openClaw,
      "/claw/agents/main/sessions/b.jsonl",
      { root: "/claw", focus: "/claw/agents/main/sessions/b.jsonl" },
    ],
  ])("of $id: %s", async (converter, path, store) => {
    expect(await converter.open(path, source, environment)).toEqual({ harness: converter.id, ...store });
  });
});
