/** A store of OpenCode, or of a program that was made from it: copied, and its database looked into. */

import { copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DialectName, MockModel } from "@asp-convert/mock-model";
import { asObject, asString, type JsonObject, parseObject } from "./json.js";

/** What the programs differ in. */
export interface OpenCodeKind {
  readonly name: "opencode" | "kilo";
  /** What its variables begin with. */
  readonly prefix: string;
}

export const openCodeKinds = {
  opencode: { name: "opencode", prefix: "OPENCODE" },
  kilo: { name: "kilo", prefix: "KILO" },
} as const satisfies { readonly [name: string]: OpenCodeKind };

/** A model of the mock, as the program is configured to know it. */
export interface OpenCodeModel {
  readonly provider: string;
  readonly model: string;
  readonly dialect: DialectName;
}

const PACKAGES: { readonly [name in DialectName]?: string } = {
  chat: "@ai-sdk/openai-compatible",
  anthropic: "@ai-sdk/anthropic",
  responses: "@ai-sdk/openai",
};

/** The models that captured sessions were made with. Over the second, pictures of a result are sent in it. */
const known: readonly OpenCodeModel[] = [
  { provider: "mock", model: "mock-1", dialect: "chat" },
  { provider: "mockanthropic", model: "mock-claude", dialect: "anthropic" },
  { provider: "mockopenai", model: "mock-gpt", dialect: "responses" },
];
const forOthers = known[1] as OpenCodeModel;

/** Copies the database with its log into a home folder; gives the database's path there. */
export async function copyOpenCodeStore(root: string, home: string, kind: OpenCodeKind): Promise<string> {
  const folder = join(home, ".local", "share", kind.name);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(root)) {
    if (name.startsWith(`${kind.name}.db`) && !name.endsWith("-shm"))
      await copyFile(join(root, name), join(folder, name));
  }
  return join(folder, `${kind.name}.db`);
}

/** The folder that a session is of, and the model it names; undefined: there is no such session. */
export async function sessionIn(
  database: string,
  id: string,
): Promise<{ directory: string; model: OpenCodeModel } | undefined> {
  const { DatabaseSync } = await import("node:sqlite");
  const open = new DatabaseSync(database);
  try {
    // The tree of version 1.1 has no database.
    if (open.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'session'").all().length === 0)
      return undefined;
    const row = open.prepare("SELECT directory, model FROM session WHERE id = ?").get(id);
    if (!row) return undefined;
    const last = open
      .prepare("SELECT data FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC")
      .all(id);
    const named = last
      .map(({ data }) => asObject(parseObject(String(data))?.model))
      .find((model) => model !== undefined);
    const provider =
      asString(parseObject(String(row.model ?? "{}"))?.providerID) ?? asString(named?.providerID);
    const model = known.find((one) => one.provider === provider) ?? forOthers;
    return { directory: String(row.directory), model };
  } finally {
    open.close();
  }
}

export async function moveOpenCodeSession(database: string, id: string, directory: string): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const open = new DatabaseSync(database);
  open.prepare("UPDATE session SET directory = ? WHERE id = ?").run(directory, id);
  open.close();
}

/** What was said in a session, a record a line, in the order it was written. */
export async function linesOfSession(database: string, id: string): Promise<string> {
  const { DatabaseSync } = await import("node:sqlite");
  const open = new DatabaseSync(database);
  try {
    const rows = ["message", "part"].flatMap((table) =>
      open.prepare(`SELECT data FROM ${table} WHERE session_id = ? ORDER BY rowid`).all(id),
    );
    return rows.map(({ data }) => `${String(data)}\n`).join("");
  } finally {
    open.close();
  }
}

/** A config that knows the mock's models and asks for nothing from the network. */
export function openCodeConfig(mock: MockModel): JsonObject {
  const model = {
    reasoning: true,
    tool_call: true,
    attachment: true,
    // Large, so that token counts of another program's session do not make this one sum it up first.
    limit: { context: 10_000_000, output: 8000 },
    modalities: { input: ["text", "image", "pdf"], output: ["text"] },
  };
  const provider = ({ model: id, dialect }: OpenCodeModel) => ({
    npm: PACKAGES[dialect],
    name: id,
    options: {
      baseURL: dialect === "anthropic" ? `${mock.url(dialect)}/v1` : mock.url(dialect),
      apiKey: "none",
    },
    models: { [id]: { name: id, ...model } },
  });
  return {
    autoupdate: false,
    share: "disabled",
    model: "mock/mock-1",
    small_model: "mock/mock-1",
    provider: Object.fromEntries(known.map((one) => [one.provider, provider(one)])),
  };
}
