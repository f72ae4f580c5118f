/** Plans a session as a transcript of Claude Code's own, with its subagents in the folder beside it. */
import type { Action, Content, SessionInput, SessionPlan, SessionRef, Target } from "@asp-convert/core";
import { legalId, pathOf, RefusedError, uuidFrom } from "@asp-convert/core";
import { subagentPath, transcriptPath } from "../layout.js";
import { EVIDENCE } from "./carried.js";
import { Lines } from "./lines.js";
import { Scribe } from "./scribe.js";

/** @throws RefusedError without a working directory. */
export async function writeSession(input: SessionInput, target: Target): Promise<SessionPlan> {
  const { ref } = input;
  const cwd = target.cwd ?? ref.cwd;
  if (cwd === undefined || cwd === "") {
    throw new RefusedError(
      `session ${ref.id}: Claude Code finds sessions by working directory and the source names none; give one with --cwd`,
    );
  }
  const id = uuidFrom(`claude ${ref.harness} ${ref.id} ${target.copy}`);
  const path = pathOf(target.environment).join(target.root, transcriptPath(cwd, id));
  const { content, mtimeMs } = transcript(input, target, { id, cwd });
  return {
    id,
    cwd,
    actions: [{ do: "create", path, content, mtimeMs }],
    children: input.children.map((child) => subagent(child, target, { id, cwd, depth: 1 })),
  };
}

interface Place {
  id: string;
  cwd: string;
  agentId?: string;
}

function transcript(
  input: SessionInput,
  target: Target,
  { id, cwd, agentId }: Place,
): { content: Content; mtimeMs: () => number } {
  const { ref, ledger } = input;
  const begun = Date.parse(ref.createdAt ?? ref.updatedAt ?? "");
  const lines = new Lines(
    { sessionId: id, cwd, gitBranch: ref.git?.branch ?? "", agentId },
    Number.isNaN(begun) ? 0 : begun,
  );
  const native = ref.harness === "claude";
  const scribe = new Scribe(lines, {
    ledger,
    native,
    rehomed: target.cwd !== undefined && target.cwd !== ref.cwd,
    ref,
  });
  async function* content(): AsyncGenerator<Buffer> {
    lines.side({
      type: "asp-provenance",
      sessionId: id,
      convertedFrom: { harness: ref.harness, sessionId: ref.id, version: ref.harnessVersion },
    });
    const given = ref.titleFrom === "prompt" ? undefined : ref.title;
    if (given !== undefined && agentId === undefined) titled(lines, id, given);
    for await (const event of input.events()) {
      scribe.take(event);
      for (const piece of lines.take()) yield piece;
    }
    scribe.end();
    // Not at the file's beginning, which a list looks at, nor at its very end, where the name stands.
    for (const evidence of (agentId === undefined && input.carried) || []) {
      lines.side({ type: EVIDENCE, timestamp: new Date(lines.time).toISOString(), sessionId: id, evidence });
      for (const piece of lines.take()) yield piece;
    }
    if (agentId === undefined) {
      const { title } = scribe;
      if (title !== undefined) titled(lines, id, title);
      const lastPrompt = (ref.titleFrom === "prompt" ? ref.title : undefined) ?? scribe.lastPrompt;
      if (scribe.leaf !== null) {
        const pointer = { leafUuid: scribe.leaf, sessionId: id };
        lines.side({ type: "last-prompt", ...(lastPrompt !== undefined && { lastPrompt }), ...pointer });
        // A branch may hang on the leaf itself; then only this keeps it from being taken for what goes on.
        if (scribe.branched) lines.side({ type: "last-prompt", ...pointer, explicit: true });
      }
    }
    account(ref, input, target);
    for (const piece of lines.end()) yield piece;
  }
  return { content, mtimeMs: () => lines.time };
}

/** The name stands at the end too: the program reads it from there. */
export function titled(lines: Lines, sessionId: string, customTitle: string): void {
  lines.side({ type: "custom-title", customTitle, sessionId });
}

export function account(ref: SessionRef, { ledger }: SessionInput, target: Target): void {
  if (ref.cwd !== undefined || target.cwd !== undefined) ledger.keep("cwd");
  if (ref.git?.branch !== undefined) ledger.keep("git");
  if (ref.git?.commit !== undefined || ref.git?.repository !== undefined)
    ledger.note({ axis: "git", level: "partial", reason: "no-counterpart" });
  // Records get uuids of their own: a copy is no second place of the same record.
  ledger.note({ axis: "ids", level: "partial", reason: "generated" });
  if (ref.timesInferred) ledger.note({ axis: "times", level: "partial", reason: "time-inferred" });
  if (ref.parent?.relation === "fork")
    ledger.note({ axis: "lineage", level: "evidence-only", reason: "no-counterpart" });
  if (ref.parent?.relation === "subagent") ledger.keep("subagents");
}

export function subagent(
  input: SessionInput,
  target: Target,
  above: { id: string; cwd: string; depth: number },
): SessionPlan {
  const { ref } = input;
  const { id, cwd, depth } = above;
  const agentId = `a${uuidFrom(`${id} ${ref.id}`).replaceAll("-", "").slice(0, 16)}`;
  const paths = pathOf(target.environment);
  // It may have worked elsewhere than the session that started it.
  const own = target.cwd ?? ref.cwd ?? cwd;
  const { content, mtimeMs } = transcript(input, target, { id, cwd: own, agentId });
  const meta = {
    agentType: "general-purpose",
    ...(ref.title !== undefined && { description: ref.title }),
    ...(ref.parent?.toolCallId !== undefined && { toolUseId: legalId(ref.parent.toolCallId) }),
    spawnDepth: depth,
  };
  const actions: Action[] = [
    {
      do: "create",
      path: paths.join(target.root, subagentPath(cwd, id, agentId, ".jsonl")),
      content,
      mtimeMs,
    },
    {
      do: "create",
      path: paths.join(target.root, subagentPath(cwd, id, agentId, ".meta.json")),
      content: JSON.stringify(meta),
    },
  ];
  return {
    id: `agent-${agentId}`,
    cwd,
    actions,
    children: input.children.map((child) => subagent(child, target, { ...above, depth: depth + 1 })),
  };
}
