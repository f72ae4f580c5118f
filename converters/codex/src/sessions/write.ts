/** Plans a session as a rollout of Codex's own, with those of its subagents beside it. */
import {
  type Action,
  below,
  RefusedError,
  type SessionInput,
  type SessionPlan,
  type SessionRef,
  type Target,
  timedUuidFrom,
} from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";
import { NAME_INDEX, rolloutPath } from "../layout.js";
import { VERSION } from "../version.js";
import { EVIDENCE } from "./carried.js";
import { Lines } from "./lines.js";
import { Scribe } from "./scribe.js";

/** The session that started this one. */
interface Above {
  id: string;
  /** The first of them. */
  root: string;
  depth: number;
  cwd: string;
}

/** @throws RefusedError without a working directory. */
export async function writeSession(input: SessionInput, target: Target): Promise<SessionPlan> {
  return plan(input, target, undefined);
}

export function plan(input: SessionInput, target: Target, above: Above | undefined): SessionPlan {
  const { ref, ledger } = input;
  const cwd = target.cwd ?? ref.cwd ?? above?.cwd;
  if (cwd === undefined || cwd === "") {
    throw new RefusedError(
      `session ${ref.id}: Codex needs a working directory and the source names none; give one with --cwd`,
    );
  }
  const created = isoTime(ref.createdAt) ?? isoTime(ref.updatedAt) ?? new Date(0).toISOString();
  const id = timedUuidFrom(Date.parse(created), `codex ${ref.harness} ${ref.id} ${target.copy}`);
  const lines = new Lines(created);
  const scribe = new Scribe(lines, { id, cwd, ledger, ref });

  async function* content(): AsyncGenerator<Buffer> {
    lines.add("session_meta", JSON.stringify(metaOf(ref, id, created, cwd as string, above)));
    for await (const event of input.events()) {
      scribe.take(event);
      for (const piece of lines.take()) yield piece;
    }
    scribe.end();
    if (ref.cwd !== undefined && ref.cwd !== "") ledger.keep("cwd");
    if (ref.git) ledger.keep("git");
    if (ref.timesInferred) ledger.note({ axis: "times", level: "partial", reason: "time-inferred" });
    if (ref.parent?.relation === "fork") {
      ledger.note({ axis: "lineage", level: "evidence-only", reason: "no-counterpart" });
    }
    // Which call started it, no rollout says.
    if (ref.parent?.toolCallId !== undefined)
      ledger.note({ axis: "lineage", level: "evidence-only", reason: "no-counterpart" });
    for (const evidence of (above === undefined && input.carried) || []) {
      lines.add(EVIDENCE, JSON.stringify({ evidence }), lines.last);
      for (const piece of lines.take()) yield piece;
    }
    for (const piece of lines.end()) yield piece;
  }

  const actions: Action[] = [
    {
      do: "create",
      path: below(target.root, rolloutPath(new Date(created), id), target.environment),
      content,
      mtimeMs: () => Date.parse(isoTime(ref.updatedAt) ?? lines.time),
    },
    {
      do: "append",
      path: below(target.root, NAME_INDEX, target.environment),
      lines: () => {
        const title = titleOf(scribe);
        return title === undefined
          ? ""
          : `${JSON.stringify({ id, thread_name: title, updated_at: isoTime(ref.updatedAt) ?? lines.time })}\n`;
      },
    },
  ];
  const here = { id, root: above?.root ?? id, depth: (above?.depth ?? 0) + 1, cwd };
  return { id, cwd, actions, children: input.children.map((child) => plan(child, target, here)) };
}

/** A name that someone gave. The first words of a prompt are none: Codex shows those by itself. */
export function titleOf({ title }: Scribe): string | undefined {
  const line = title
    ?.toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .trim();
  return line === "" ? undefined : line;
}

function metaOf(
  ref: SessionRef,
  id: string,
  created: string,
  cwd: string,
  above: Above | undefined,
): unknown {
  const { git } = ref;
  return {
    session_id: above?.root ?? id,
    id,
    ...(above && { parent_thread_id: above.id }),
    timestamp: created,
    cwd,
    originator: "asp-convert",
    cli_version: VERSION,
    source: above
      ? {
          subagent: {
            thread_spawn: {
              parent_thread_id: above.id,
              depth: above.depth,
              agent_path: null,
              agent_nickname: null,
              agent_role: null,
            },
          },
        }
      : "cli",
    thread_source: above ? "subagent" : "user",
    // No provider, no model, no instructions: what the person has set up here holds.
    history_mode: "legacy",
    ...(git && {
      git: {
        ...(git.commit !== undefined && { commit_hash: git.commit }),
        ...(git.branch !== undefined && { branch: git.branch }),
        ...(git.repository !== undefined && { repository_url: git.repository }),
      },
    }),
    asp: { converted_from: { harness: ref.harness, session_id: ref.id } },
  };
}
