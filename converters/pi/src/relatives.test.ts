/** What is published of Pi's kin, in small stores made by hand; the programs themselves were not run. */
import { createHash } from "node:crypto";
import { convert, type Files, sessionsIn, sourceOf, TARGET_ROOT } from "@asp-convert/conformance/toolbox";
import { checkResume, type SessionEvent } from "@asp-convert/core";
import { describe, expect, test } from "vitest";
import * as kit from "../test-kit/session.js";
import pi, { ohMyPi, openClaw } from "./index.js";

const { answer, chain, header, user } = kit;

describe("Oh My Pi", () => {
  const picture = Buffer.from("a picture");
  const hash = createHash("sha256").update(picture).digest("hex");
  const image = (data: string) => ({ type: "image", data, mimeType: "image/png" });
  const root = "/home/.omp/agent";
  const files: Files = new Map([
    [
      `${root}/sessions/-src-app/2026_s1.jsonl`,
      kit.fileOf([
        { type: "title", title: "What it is about", source: "auto" },
        header({ title: "an older one" }),
        ...chain({
          m: { type: "model_change", model: "openai/gpt-6", role: "default" },
          a: user("before"),
          r: { type: "reset_boundary" },
          b: {
            type: "message",
            message: {
              role: "user",
              content: [image(`blob:sha256:${hash}`), image(`blob:sha256:${"0".repeat(64)}`)],
            },
          },
          d: { type: "message", message: { role: "developer", content: "Go on." } },
          c: answer("two"),
          t: { type: "ttsr_injection", injectedRules: ["x"] },
        }),
      ]),
    ],
    [
      `${root}/sessions/-src-app/2026_s1/Task.jsonl`,
      kit.fileOf([header({ id: "child" }), ...chain({ a: user("do") })]),
    ],
    [`${root}/blobs/${hash}`, picture],
  ]);

  test("its title, its pictures, its subagents, and what a reset takes from the model", async () => {
    const [ref, more] = await sessionsIn(ohMyPi, root, sourceOf(files));
    expect(more).toBeUndefined();
    expect(ref).toMatchObject({
      harness: "oh-my-pi",
      title: "What it is about",
      titleFrom: "agent",
      children: [{ id: "child", parent: { id: "s1", relation: "subagent" } }],
    });
    if (!ref) throw new Error("nothing is listed");
    const { files: made, losses } = await convert({ from: ohMyPi, ref, source: sourceOf(files), to: pi });
    const [copy] = await sessionsIn(pi, TARGET_ROOT, sourceOf(made));
    expect(copy).toMatchObject({ title: "What it is about", children: [{}] });
    const lines = kit.linesIn(
      [...made.values()].find(
        (bytes) => Buffer.from(bytes).includes(hash.slice(0, 0)) && Buffer.from(bytes).includes("Go on."),
      ),
    );
    const talk = kit.talkOfLines(lines);
    expect(JSON.stringify(talk)).not.toContain("before");
    expect(JSON.stringify(talk)).toContain(picture.toString("base64"));
    expect(JSON.stringify(talk)).toContain("Go on.");
    expect(kit.lossesOf(losses)).toContain("images not-in-source missing-file 1");
  });
});

describe("OpenClaw", () => {
  const folder = "/home/.openclaw/agents/main/sessions";
  const files: Files = new Map([
    [
      `${folder}/sessions.json`,
      Buffer.from(JSON.stringify({ "agent:main:main": { sessionId: "s1", displayName: "Chat" } })),
    ],
    [
      `${folder}/s1.jsonl`,
      kit.fileOf([
        header(),
        ...chain({
          b: { type: "custom", customType: "openclaw:bootstrap-context:full", data: {} },
          a: user("one"),
          c: answer([{ ...kit.call("c"), thoughtSignature: "R0VN" }], { api: "google-generative-ai" }),
          r: kit.result("c", "r"),
        }),
      ]),
    ],
    [`${folder}/s1.checkpoint.0b3c.jsonl`, kit.fileOf([header({ id: "no" })])],
    [`${folder}/s1.jsonl.deleted.2026-01-01`, kit.fileOf([header({ id: "no" })])],
  ]);

  test("its sessions by the names of its map, and no copies; Gemini's marks go back to Pi", async () => {
    const [ref, more] = await sessionsIn(openClaw, "/home/.openclaw", sourceOf(files));
    expect(more).toBeUndefined();
    expect(ref).toMatchObject({ harness: "openclaw", id: "s1", title: "Chat" });
    if (!ref) throw new Error("nothing is listed");
    const { files: made } = await convert({ from: openClaw, ref, source: sourceOf(files), to: pi });
    expect(JSON.stringify(kit.linesIn([...made.values()][0]))).toContain('"thoughtSignature":"R0VN"');
  });
});

test("nothing is written to programs that nobody has seen take it", async () => {
  for (const kin of [ohMyPi, openClaw]) {
    const ref = await kit.onlyOne(kit.store(header(), ...chain({ a: user("x") })));
    expect(() => checkResume(kin, ref)).toThrow(/read from .* and not written to it/);
    const input = {
      ref,
      events: async function* (): AsyncGenerator<SessionEvent> {},
      ledger: {} as never,
      children: [],
    };
    await expect(kin.sessions.write(input, {} as never)).rejects.toThrow(/not written to it/);
    await expect(kin.sessions.replay(ref, {} as never, {} as never)).rejects.toThrow(/not written to it/);
  }
});
