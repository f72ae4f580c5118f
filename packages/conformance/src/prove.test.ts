import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Program } from "@asp-convert/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { proveResume } from "./prove.js";
import { sample } from "./sample/index.js";

/** A program of the sample harness: reads its session and asks its model with what was said. */
const PROGRAM = `#!${process.execPath}
const fs = require("node:fs");
const [session, prompt] = process.argv.slice(2);
const { SAMPLE_HOME, SAMPLE_URL, SAMPLE_FORGETS } = process.env;
const lines = fs.readFileSync(SAMPLE_HOME + "/sessions/" + session + ".jsonl", "utf8").trim().split("\\n").map((line) => JSON.parse(line));
let said = [];
for (const line of lines) {
  if (line.kind === "cut") said = [...line.keep];
  if (line.kind === "said") said.push(line);
}
const messages = said.map(({ by, parts }) => ({ role: by, content: parts.flatMap(({ text }) => text === undefined ? [] : [{ type: "text", text }]) }));
if (SAMPLE_FORGETS) messages.splice(-1);
messages.push({ role: "user", content: prompt });
if (!fs.existsSync(SAMPLE_HOME + "/ready")) throw new Error("not set up");
fetch(SAMPLE_URL + "/chat/completions", { method: "POST", body: JSON.stringify({ messages }) });
`;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "prove-"));
  await writeFile(join(folder, "sample"), PROGRAM);
  await chmod(join(folder, "sample"), 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The sample harness, whose program can be started. */
const startable = (env: Record<string, string> = {}, files: Record<string, string> = { ready: "" }) => {
  const program: Program = {
    dialect: "chat",
    name: join(folder, "sample"),
    start: ({ session, prompt, url }) => ({
      args: [session, prompt],
      env: { SAMPLE_URL: url, ...env },
      files,
    }),
  };
  return { ...sample, sessions: { ...sample.sessions, resume: { ...sample.sessions.resume, program } } };
};

test("a program that sends its model all that was said passes", async () => {
  expect(await proveResume(startable())).toEqual([]);
});

test("what it does not send is named", async () => {
  expect((await proveResume(startable({ SAMPLE_FORGETS: "1" }))).join("\n")).toMatch(
    /sample: the model was not sent "42, as said before." in its place/,
  );
});

test("one that knows no compaction is sent what was said before it too", async () => {
  const { sessions, ...rest } = startable();
  const { read, write } = sessions.fidelity;
  const fidelity = { read, write: { ...write, compaction: "evidence-only" as const } };
  const problems = await proveResume({ ...rest, sessions: { ...sessions, fidelity } });
  expect(problems.join("\n")).toMatch(/was not sent "How many words has notes.txt/);
});

test("a program that fails is told of with what it said", async () => {
  expect((await proveResume(startable({}, {}))).join("\n")).toMatch(
    /sent its model nothing \(exit code 1\): .*not set up/s,
  );
});

test("a converter that does not say how its program is started is told so", async () => {
  await expect(proveResume(sample)).rejects.toThrow(/does not say how to start it/);
});
