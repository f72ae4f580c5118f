/**
 * Is a value a record that is read? Tolerant means: whatever does not fit is left unread, never half read. Written
 * by hand, because a schema library at every record would be most of a reader's time.
 */
import type { SampleRecord } from "./records.js";

type Test = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Test>>;

const text: Test = (value) => typeof value === "string";
const flag: Test = (value) => typeof value === "boolean";
const number: Test = (value) => typeof value === "number" && Number.isFinite(value);
const given: Test = (value) => value !== undefined;
const one =
  (...words: readonly string[]): Test =>
  (value) =>
    typeof value === "string" && words.includes(value);
const list =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const maybe =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const each =
  (test: Test): Test =>
  (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(test);
/** Keys that are not named may hold anything. */
const object =
  (fields: Fields): Test =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(fields).every(([key, test]) =>
      test(Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined),
    );
/** By the value of one key. */
const oneOf =
  (key: string, kinds: Fields): Test =>
  (value) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return false;
    const kind: unknown = (value as Record<string, unknown>)[key];
    return typeof kind === "string" && Object.hasOwn(kinds, kind) && kinds[kind]?.(value) === true;
  };

const blocks: Fields = {
  text: object({ text }),
  thinking: object({ text, signature: maybe(text) }),
  "tool-call": object({
    toolCallId: text,
    name: text,
    arguments: given,
    freeform: maybe(flag),
    namespace: maybe(text),
  }),
  "tool-result": object({
    toolCallId: text,
    toolResultId: maybe(text),
    content: list((value) => part(value)),
    isError: maybe(flag),
  }),
  image: object({ mimeType: maybe(text), data: maybe(text), uri: maybe(text), alt: maybe(text) }),
  reference: object({
    uri: text,
    title: maybe(text),
    mediaType: maybe(text),
    data: maybe(text),
    text: maybe(text),
  }),
  error: object({ message: text, code: maybe(text) }),
  unknown: object({ nativeType: text, value: given }),
};
const part = oneOf("type", blocks);

const usage = maybe(each(maybe(number)));
const by = maybe(one("user", "agent"));
const talk: Fields = {
  said: object({
    id: text,
    by: one("system", "user", "assistant", "tool", "unknown"),
    parts: list(part),
    model: maybe(text),
    usage,
    stop: maybe(text),
    as: maybe(one("summary", "queued")),
    why: maybe(one("harness", "command", "skill", "tool", "notice")),
    for: maybe(list(one("user", "assistant"))),
    shown: maybe(text),
  }),
  result: object({ call: text, parts: list(part), failed: flag, madeUp: maybe(flag) }),
};

const record = oneOf("kind", {
  ...talk,
  head: object({
    id: text,
    dir: maybe(text),
    name: maybe(text),
    git: maybe(object({ branch: maybe(text), commit: maybe(text), repository: maybe(text) })),
    model: maybe(text),
    version: text,
    parent: maybe(object({ id: text, relation: one("fork", "subagent", "resume"), toolCallId: maybe(text) })),
  }),
  cut: object({ by: maybe(one("manual", "auto")), keep: maybe(list(oneOf("kind", talk))) }),
  turn: object({
    id: text,
    ends: maybe(one("completed", "failed", "cancelled")),
    error: maybe(text),
    usage,
  }),
  name: object({ name: text, by }),
  set: object({ values: each((value) => text(value) || flag(value) || number(value)) }),
  back: object({ turns: number }),
  todo: object({
    items: list(
      object({
        content: text,
        status: one("pending", "in_progress", "completed"),
        priority: maybe(one("high", "medium", "low")),
      }),
    ),
  }),
});

/** A record of a kind and shape that is read; anything else stays unread. */
export function asRecord(value: unknown): SampleRecord | undefined {
  return record(value) ? (value as SampleRecord) : undefined;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A record's time, if that is what it says. */
export function timeOf({ at }: { at?: string }): string | undefined {
  return typeof at === "string" && ISO.test(at) && !Number.isNaN(Date.parse(at)) ? at : undefined;
}
