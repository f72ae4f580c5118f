/** The little of a Pi agent folder that must be known to resume one of its sessions. */

import { cp, open, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DialectName, MockModel } from "@asp-convert/mock-model";
import { asObject, asString, parseLines, parseObject } from "./json.js";

/**
 * Copies the sessions of an agent folder and nothing else: what else lies there may run (extensions, MCP
 * servers), is secret, or steers what is sent.
 */
export async function copyPiSessions(from: string, to: string): Promise<void> {
  await cp(join(from, "sessions"), join(to, "sessions"), { recursive: true, preserveTimestamps: true });
}

/** The file of a session, by the id in its header; undefined when there is none. */
export async function findPiSession(agentDir: string, session: string): Promise<string | undefined> {
  const sessions = join(agentDir, "sessions");
  for (const name of (await readdir(sessions, { recursive: true }).catch(() => [])).sort()) {
    if (!name.endsWith(".jsonl")) continue;
    const path = join(sessions, name);
    if ((await headerOf(path))?.id === session) return path;
  }
  return undefined;
}

const HEAD = 64 * 1024;

async function headerOf(path: string) {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const line = buffer.toString("utf8", 0, bytesRead).split("\n", 1)[0] ?? "";
    return parseObject(line.replace(/^\uFEFF/, ""));
  } finally {
    await file.close();
  }
}

/** Makes a session one of the folder `cwd`: Pi runs in the folder that the header names, and only if it is there. */
export async function moveSession(path: string, cwd: string): Promise<void> {
  const text = await readFile(path, "utf8");
  const end = text.indexOf("\n");
  const header = parseObject(end < 0 ? text : text.slice(0, end));
  if (!header) return;
  await writeFile(path, JSON.stringify({ ...header, cwd }) + (end < 0 ? "\n" : text.slice(end)));
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

export interface PiModel {
  readonly provider: string;
  readonly model: string;
  readonly dialect: DialectName;
}

/** Pi's names of the wire formats that the mock speaks. */
const APIS: Readonly<Record<string, DialectName>> = {
  "openai-completions": "chat",
  "anthropic-messages": "anthropic",
  "openai-responses": "responses",
};

/**
 * Who is to go on: whoever answered last, for Pi sends a model its own signed reasoning and no other's. Where
 * that is unknown, or spoke in a way that the mock does not, a model that has said nothing yet.
 */
export function modelOf(transcript: string): PiModel {
  const answers = parseLines(transcript).map(({ message }) => asObject(message));
  const last = answers.findLast((message) => message?.role === "assistant");
  const dialect = APIS[asString(last?.api) ?? ""];
  const provider = asString(last?.provider);
  const model = asString(last?.model);
  if (!dialect || !provider || !model) return NOBODYS;
  return { provider, model, dialect };
}

/** A model that has said nothing yet. */
export const NOBODYS: PiModel = { provider: "mock", model: "mock-1", dialect: "chat" };

/**
 * Writes what Pi must find to ask the mock, and to ask it once: nothing compacted, retried or warmed up. Other
 * settings that are there stay.
 */
export async function writePiSettings(agentDir: string, model: PiModel, mock: MockModel): Promise<void> {
  const api = Object.entries(APIS).find(([, dialect]) => dialect === model.dialect)?.[0];
  const baseUrl = mock.url(model.dialect);
  const entry = {
    id: model.model,
    name: model.model,
    reasoning: true,
    input: ["text", "image"],
    contextWindow: 10_000_000,
    maxTokens: 8000,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
  const provider = { baseUrl, api, apiKey: "mock", models: [entry] };
  await writeFile(
    join(agentDir, "models.json"),
    JSON.stringify({ providers: { [model.provider]: provider } }),
  );
  const path = join(agentDir, "settings.json");
  const there = parseObject(await readFile(path, "utf8").catch(() => ""));
  await writeFile(
    path,
    JSON.stringify({
      ...there,
      defaultProvider: model.provider,
      defaultModel: model.model,
      enableInstallTelemetry: false,
      cacheWarming: "off",
      compaction: { enabled: false },
      retry: { enabled: false },
    }),
  );
}
