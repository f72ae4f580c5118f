/** What a session says, apart from how any harness writes it down: the measure of sameness between two of them. */
import type { Block, SessionAxis, SessionEvent, ToolCallBlock } from "@asp-convert/core";

/** One thing said, called, answered or shown. `key` is what must be equal. */
export interface Atom {
  kind: "user" | "assistant" | "system" | "tool" | "unknown" | "call" | "result" | "image" | "document";
  key: string;
}

export interface TalkOptions {
  /** Also what nobody typed and the harness will add again. Default: left out. */
  preamble?: boolean;
  /** Also what lies on abandoned branches. Default: left out. */
  branches?: boolean;
}

/**
 * The talk of a session in order, as the model would be sent it: a compaction replaces what was before it.
 * Blank texts say nothing. Ids are left out: targets may change them; calls and results are paired by place.
 */
export function talkOf(events: Iterable<SessionEvent>, options: TalkOptions = {}): Atom[] {
  return atomsIn(events, options, new Map());
}

/** @param calls call id → the how-manieth call it is, of those that the model is still sent. */
function atomsIn(events: Iterable<SessionEvent>, options: TalkOptions, calls: Map<string, number>): Atom[] {
  let atoms: Atom[] = [];
  for (const event of events) {
    if (event.branch !== undefined && !options.branches) continue;
    if (event.type === "message.completed") {
      const { role, blocks, injected, audience } = event.payload;
      if (injected === "harness" && !options.preamble) continue;
      if (audience && !audience.includes("assistant")) continue;
      for (const block of blocks) atoms.push(...atomsOf(role, block, calls));
    } else if (event.type === "tool.completed") {
      const { toolCallId, result, isError } = event.payload;
      atoms.push({
        kind: "result",
        key: `#${calls.get(toolCallId) ?? "?"} ${isError ? "failed" : "ok"} ${textOf(result)}`,
      });
    } else if (
      event.type === "status.changed" &&
      event.payload.status === "compacted" &&
      event.payload.context
    ) {
      calls.clear();
      atoms = atomsIn(event.payload.context, options, calls);
    }
  }
  return atoms;
}

function atomsOf(
  role: Exclude<Atom["kind"], "call" | "result" | "image" | "document">,
  block: Block,
  calls: Map<string, number>,
): Atom[] {
  switch (block.type) {
    case "text":
      return block.text.trim() === "" ? [] : [{ kind: role, key: block.text }];
    case "tool-call":
      if (!calls.has(block.toolCallId)) calls.set(block.toolCallId, calls.size);
      return [
        {
          kind: "call",
          key: `#${calls.get(block.toolCallId)} ${nameOf(block)} ${canonical(block.arguments)}`,
        },
      ];
    case "image":
      return [{ kind: "image", key: block.data ?? block.uri ?? "" }];
    case "reference":
      return [{ kind: "document", key: block.data ?? block.text ?? block.uri }];
    case "tool-result":
      return [
        {
          kind: "result",
          key: `#${calls.get(block.toolCallId) ?? "?"} ${block.isError ? "failed" : "ok"} ${textOf(block.content)}`,
        },
      ];
    default:
      return [];
  }
}

/** Some harnesses keep the family apart from the name, others write both as one. */
function nameOf({ namespace, name }: ToolCallBlock): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}

/** Blank texts say nothing, nor do opaque parts to anybody else. */
function textOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => {
      if (block.type === "text") return block.text.trim() === "" ? [] : [block.text];
      if (block.type === "image") return [`[image ${block.data ?? block.uri}]`];
      return block.type === "unknown" ? [] : [`[${block.type}]`];
    })
    .join("\n");
}

/** JSON with its keys in order: two spellings of one value are equal. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? "undefined"
  );
}

/** The axis of the fidelity table that an atom is of. */
export function axisOf({ kind }: Atom): SessionAxis {
  switch (kind) {
    case "call":
      return "tool-calls";
    case "result":
      return "tool-results";
    case "image":
      return "images";
    case "document":
      return "documents";
    default:
      return "messages";
  }
}

/** The places where two talks differ, at most a few, in words. */
export function differences(expected: readonly Atom[], actual: readonly Atom[], limit = 3): string[] {
  const found: string[] = [];
  const longest = Math.max(expected.length, actual.length);
  for (let i = 0; i < longest && found.length < limit; i++) {
    const a = show(expected[i]);
    const b = show(actual[i]);
    if (a !== b) found.push(`at ${i}: expected ${short(a)}, got ${short(b)}`);
  }
  return found;
}

function show(atom: Atom | undefined): string {
  return atom ? `${atom.kind} ${JSON.stringify(atom.key)}` : "nothing more";
}

function short(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}… (${text.length})` : text;
}
