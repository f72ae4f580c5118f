/** The little of a Codex home that must be known to resume one of its sessions. */
import { cp, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { asObject, asString, type JsonObject, parseLines } from "./json.js";

/**
 * Copies a Codex home without its credentials and databases: rows there hold the absolute path of each
 * rollout, and Codex would append to the original. It makes them anew.
 */
export async function copyCodexHome(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    preserveTimestamps: true, // the time that lists show
    filter: (path) => basename(path) !== "auth.json" && !/\.sqlite(-wal|-shm)?$/.test(path),
  });
}

/** The newest rollout of a session, as JSONL text; empty when there is none. */
export async function readRollout(home: string, session: string): Promise<string> {
  const sessions = join(home, "sessions");
  const names = await readdir(sessions, { recursive: true }).catch(() => []);
  const mine = names
    .filter((name) => {
      const file = basename(name);
      return file.startsWith("rollout-") && file.includes(session) && /\.jsonl(\.zst)?$/.test(file);
    })
    .sort();
  const newest = mine.at(-1);
  if (newest === undefined) return "";
  const bytes = await readFile(join(sessions, newest));
  return (newest.endsWith(".zst") ? zstdDecompressSync(bytes) : bytes).toString("utf8");
}

export interface RolloutNeeds {
  /** The model provider that the session names. Codex refuses to resume it with another. */
  readonly provider: string | undefined;
  /** The model of its last turn. With another one, Codex may compact the session before it goes on. */
  readonly model: string | undefined;
}

export function needsOf(rollout: string): RolloutNeeds {
  const lines = parseLines(rollout);
  const payloadOf = (line: JsonObject | undefined) => asObject(line?.payload);
  return {
    provider: asString(payloadOf(lines[0])?.model_provider),
    model: asString(payloadOf(lines.findLast((line) => line.type === "turn_context"))?.model),
  };
}

/** Arguments that make a provider, and with it all that Codex asks, the mock model at `url`. */
export function mockProvider(name: string, url: string): string[] {
  const text = (value: string) => JSON.stringify(value); // a JSON text is a TOML text
  if (name === "openai") return ["-c", `model_provider="openai"`, "-c", `openai_base_url=${text(url)}`];
  const fields = [
    `name=${text(name)}`,
    `base_url=${text(url)}`,
    `env_key="MOCK_API_KEY"`,
    `wire_api="responses"`,
    "request_max_retries=0",
    "stream_max_retries=0",
  ];
  // The table is given whole: a name with a dot in it could not be a part of the setting's path.
  return [
    ...["-c", `model_provider=${text(name)}`],
    ...["-c", `model_providers={${text(name)}={${fields.join(",")}}}`],
  ];
}
