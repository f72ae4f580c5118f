/**
 * A session's events for others to see: secrets in texts, arguments and results are markers; what cannot be read
 * (signatures, encrypted reasoning, a harness's own records) is left out whole, for no one can say what is in it. Ids
 * and the order of things stay, so the session still resumes.
 */
import type { LossLedger } from "../fidelity/ledger.js";
import type { Block } from "../session/blocks.js";
import type { SessionEvent } from "../session/event.js";
import type { Redactor } from "./redact.js";

/** Protocol fields that are no text of anybody's: never looked into. */
const KEPT = new Set(
  (
    "type role messageId toolCallId toolResultId turnId runId id nativeSessionId mimeType mediaType model provider name " +
    "namespace status stopReason nativeType axis cwd uri branch commit"
  ).split(" "),
);

export async function* sharedEvents(
  events: AsyncIterable<SessionEvent>,
  redactor: Redactor,
  ledger: LossLedger,
): AsyncGenerator<SessionEvent> {
  for await (const event of events) {
    const shared = sharedEvent(event, redactor, ledger);
    if (shared) yield shared;
    else ledger.leave(event, { axis: "side-records", level: "dropped", reason: "not-shared" });
  }
}

function sharedEvent(event: SessionEvent, redactor: Redactor, ledger: LossLedger): SessionEvent | undefined {
  if (event.type === "unknown.observed") return undefined;
  const before = total(redactor);
  const payload = walk(event.payload, redactor);
  const found = total(redactor) - before;
  if (found > 0)
    ledger.note({
      axis: event.type === "tool.completed" ? "tool-results" : "messages",
      level: "partial",
      reason: "redacted",
      count: found,
    });
  if ("detail" in event.payload && event.payload.detail !== undefined) {
    ledger.note({ axis: "tool-details", level: "dropped", reason: "not-shared" });
  }
  const opaque = countOpaque(event.payload);
  if (opaque > 0)
    ledger.note({ axis: "opaque-reasoning", level: "dropped", reason: "not-shared", count: opaque });
  return { ...event, payload } as SessionEvent;
}

function total({ counts }: Redactor): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

/** Through the protocol's own shape: opaque values go, text is looked into. */
function walk(value: unknown, redactor: Redactor): unknown {
  if (typeof value === "string") return redactor.text(value);
  if (Array.isArray(value)) return value.filter((one) => !isOpaque(one)).map((one) => walk(one, redactor));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    // A harness's own details beside a result are of any shape: a patch, a screen, an environment.
    if (key === "signature" || key === "detail") return [];
    if (key === "arguments") return [[key, textsOf(inner, redactor)]];
    return [
      [
        key,
        (KEPT.has(key) || (key === "data" && isMedia(value))) && typeof inner === "string"
          ? inner
          : walk(inner, redactor),
      ],
    ];
  });
  return Object.fromEntries(entries);
}

/** Through a value of somebody else's shape: every text is looked into, nothing is taken out. */
function textsOf(value: unknown, redactor: Redactor): unknown {
  if (typeof value === "string") return redactor.text(value);
  if (Array.isArray(value)) return value.map((one) => textsOf(one, redactor));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, textsOf(inner, redactor)]));
}

function isOpaque(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    value.type === ("unknown" satisfies Block["type"]) &&
    "nativeType" in value
  );
}

/** A picture or document: encoded bytes, in which no text can be looked for. */
function isMedia(value: object): boolean {
  return "type" in value && (value.type === "image" || value.type === "reference");
}

function countOpaque(value: unknown): number {
  if (Array.isArray(value))
    return value.reduce<number>((sum, one) => sum + (isOpaque(one) ? 1 : countOpaque(one)), 0);
  if (typeof value !== "object" || value === null) return 0;
  const signed = "signature" in value && "type" in value && value.type === "thinking" ? 1 : 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + countOpaque(inner), signed);
}
