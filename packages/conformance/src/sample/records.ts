/**
 * The native records of "sample", a harness that does not exist: one JSON object a line, told apart by `kind`.
 * It is small enough to be read at once, and serves as the kit's own test subject and as a target for others.
 */
import type {
  Block,
  InjectedBy,
  ParentLink,
  Payloads,
  Role,
  SessionRef,
  SettingValues,
  Usage,
} from "@asp-convert/core";

export const VERSION = "1.4.0";

/** The first line of a session. */
export interface Head {
  kind: "head";
  id: string;
  at?: string;
  dir?: string;
  name?: string;
  git?: NonNullable<SessionRef["git"]>;
  model?: string;
  version: string;
  parent?: ParentLink;
  /** Our own: where a converted session came from. Sample ignores keys it does not know. */
  from?: { harness: string; id: string };
}

export interface Said {
  kind: "said";
  id: string;
  at?: string;
  by: Role;
  parts: Block[];
  model?: string;
  usage?: Usage;
  stop?: string;
  as?: "summary" | "queued";
  why?: InjectedBy;
  for?: ("user" | "assistant")[];
  shown?: string;
}

export interface Result {
  kind: "result";
  call: string;
  at?: string;
  parts: Block[];
  failed: boolean;
  /** Made up: the call was interrupted. */
  madeUp?: boolean;
}

/** From here on the model is sent `keep` and what follows; without `keep`, nobody knows. */
export interface Cut {
  kind: "cut";
  at?: string;
  by?: "manual" | "auto";
  keep?: (Said | Result)[];
}

export interface Turn {
  kind: "turn";
  id: string;
  at?: string;
  ends?: "completed" | "failed" | "cancelled";
  error?: string;
  usage?: Usage;
}

export type SampleRecord =
  | Head
  | Said
  | Result
  | Cut
  | Turn
  | { kind: "name"; at?: string; name: string; by?: "user" | "agent" }
  | { kind: "set"; at?: string; values: SettingValues }
  | { kind: "back"; at?: string; turns: number }
  | { kind: "todo"; at?: string; items: Payloads["task.updated"]["plan"] };

/** A record of a kind and shape that is read; anything else stays unread. */
export function asRecord(value: unknown): SampleRecord | undefined {
  if (typeof value !== "object" || value === null || !("kind" in value)) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const has = (key: string, type: string) => typeof fields[key] === type;
  const every = (key: string, test: (item: unknown) => boolean) => {
    const items = fields[key];
    return Array.isArray(items) && items.every(test);
  };
  const blocks = () => every("parts", isBlock);
  const fits = {
    head: () => has("id", "string"),
    said: () => has("id", "string") && has("by", "string") && blocks(),
    result: () => has("call", "string") && has("failed", "boolean") && blocks(),
    cut: () => !("keep" in value) || every("keep", isTalk),
    turn: () => has("id", "string"),
    name: () => has("name", "string"),
    set: () => has("values", "object"),
    back: () => has("turns", "number"),
    todo: () => every("items", (item) => typeof item === "object"),
  } as const;
  const check = Object.hasOwn(fits, String(value.kind)) ? fits[value.kind as keyof typeof fits] : undefined;
  return check?.() ? (value as SampleRecord) : undefined;
}

function isTalk(value: unknown): boolean {
  const record = asRecord(value);
  return record?.kind === "said" || record?.kind === "result";
}

const STRINGS: Readonly<Record<Block["type"], readonly string[]>> = {
  text: ["text"],
  thinking: ["text"],
  "tool-call": ["toolCallId", "name"],
  "tool-result": ["toolCallId"],
  image: [],
  reference: ["uri"],
  error: ["message"],
  unknown: ["nativeType"],
};

function isBlock(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  const block = value as Record<string, unknown>;
  const strings = Object.hasOwn(STRINGS, String(block.type))
    ? STRINGS[block.type as Block["type"]]
    : undefined;
  if (!strings?.every((key) => typeof block[key] === "string")) return false;
  return block.type !== "tool-result" || (Array.isArray(block.content) && block.content.every(isBlock));
}
