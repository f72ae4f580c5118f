/** What a route changes in the talk by its nature; everything else must cross as it is. */
import type { Atom } from "@asp-convert/conformance/toolbox";
import type { SessionEvent } from "@asp-convert/core";

/** A result is a text and, after it, its pictures. */
function picturesLast({ kind, key }: Atom): Atom {
  if (kind !== "result") return { kind, key };
  const lines = key.split("\n");
  const isPicture = (line: string) => line.startsWith("[image ");
  const ordered = [...lines.filter((line) => !isPicture(line)), ...lines.filter(isPicture)];
  return { kind, key: ordered.join("\n") };
}

/** Arguments are an object: free text goes into one. */
function inObject({ kind, key }: Atom): Atom {
  const [, head, input] = kind === "call" ? (/^(#\S+ \S+ )([^{][\s\S]*)$/.exec(key) ?? []) : [];
  return input === undefined ? { kind, key } : { kind, key: `${head}{"input":${input}}` };
}

/** By target. */
const changes: Readonly<Record<string, (atom: Atom) => Atom>> = {
  opencode: picturesLast,
  kilo: picturesLast,
  copilot: picturesLast,
  // Blanks around a person's words are taken off when they are sent.
  cline: (atom) => {
    const { kind, key } = inObject(picturesLast(atom));
    return { kind, key: kind === "user" || kind === "system" ? key.trim() : key };
  },
  gemini: (atom) => inObject(picturesLast(atom)),
  qwen: (atom) => inObject(picturesLast(atom)),
  kimi: ({ kind, key }) => {
    if (kind === "system") return { kind: "user", key };
    // The program's own words for a result in which nothing is said.
    if (kind === "result" && /^#\S+ \S+ $/.test(key))
      return { kind, key: `${key}<system>Tool output is empty.</system>` };
    return inObject({ kind, key });
  },
  droid: (atom) => {
    const { kind, key } = inObject(atom);
    if (kind !== "call") return { kind, key };
    // A name of its own tools, whose results it words anew, becomes another.
    return { kind, key: key.replace(/^(#\S+ (?:Edit|MultiEdit|Create|ApplyPatch)) /, "$1_ ") };
  },
  // A system message of another program would switch off Pi's tools: it is told as a note.
  pi: (atom) => (atom.kind === "system" ? { kind: "user", key: atom.key } : inObject(atom)),
  claude: ({ kind, key }) => {
    // Nobody but the person and the agent speaks in a Claude Code transcript.
    if (kind === "system") return { kind: "user", key };
    if (kind !== "call") return { kind, key };
    // A tool's name says its family, and its input is an object: free text goes into one.
    const [, place, name = "", input = ""] = /^(#\S+) (\S+) ([\s\S]*)$/.exec(key) ?? [];
    const whole = name.includes("__") && !name.startsWith("mcp__") ? `mcp__${name}` : name;
    return { kind, key: `${place} ${whole} ${input.startsWith('"') ? `{"input":${input}}` : input}` };
  },
};

/** The talk as it must be found in the target. */
export function crossing(from: string, to: string, talk: readonly Atom[]): readonly Atom[] {
  const change = from === to ? undefined : changes[to];
  return change ? talk.map(change) : talk;
}

/** What happened, as it must be told for a target that orders it in its own way. */
export function tellable(from: string, to: string, events: readonly SessionEvent[]): readonly SessionEvent[] {
  return from === to || to !== "droid" ? events : events.flatMap(summaryFirst).map(serverAlone);
}

/** Droid sends a summary first, as a person's; where there is none, all that was said. */
function summaryFirst(event: SessionEvent): SessionEvent[] {
  if (event.type !== "status.changed" || !event.payload.context) return [event];
  const { context } = event.payload;
  const isSummary = (each: SessionEvent) =>
    each.type === "message.completed" && each.payload.kind === "summary";
  const summary = context.find(isSummary);
  if (summary?.type !== "message.completed") return [];
  const first = { ...summary, payload: { ...summary.payload, role: "user" as const } };
  const rest = context.filter((each) => each !== summary);
  return [{ ...event, payload: { ...event.payload, context: [first, ...rest] } }];
}

/** Droid names a server's tools by the server alone. */
function serverAlone(event: SessionEvent): SessionEvent {
  if (event.type === "status.changed" && event.payload.context)
    return { ...event, payload: { ...event.payload, context: event.payload.context.map(serverAlone) } };
  if (event.type !== "message.completed") return event;
  const blocks = event.payload.blocks.map((block) =>
    block.type === "tool-call" && block.namespace !== undefined
      ? { ...block, namespace: block.namespace.replace(/^mcp__/, "") }
      : block,
  );
  return { ...event, payload: { ...event.payload, blocks } };
}
