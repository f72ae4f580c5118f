/** Plans a session as a folder of Cline's own: its messages, those of its subagents, and the manifest that names them. */
import {
  type Action,
  type CreateAction,
  pathOf,
  RefusedError,
  type SessionInput,
  type SessionPlan,
  type SessionRef,
  type Target,
} from "@asp-convert/core";
import { isoTime } from "@asp-convert/core/values";
import {
  agentFor,
  childId,
  compactionFile,
  manifestFile,
  messagesFile,
  sessionIdFor,
  sessionsFolder,
} from "../layout.js";
import { VERSION } from "../version.js";
import { type IndexRow, indexRows } from "./index-rows.js";
import { oneLine, UNKNOWN } from "./list.js";
import { provenance } from "./own.js";
import { Scribe } from "./scribe.js";

const EPOCH = "1970-01-01T00:00:00.000Z";
/** Characters held before a piece is given to the disk. */
const PIECE = 256 * 1024;

export async function writeSession(input: SessionInput, target: Target): Promise<SessionPlan> {
  const cwd = target.cwd ?? input.ref.cwd;
  if (!cwd)
    throw new RefusedError(
      "Cline's sessions name their folder, and the source names none; give one with --cwd",
    );
  const path = pathOf(target.environment);
  const { ref } = input;
  const created = createdOf(input);
  const seed = `cline ${ref.harness} ${ref.id} ${target.copy}`;
  const id = sessionIdFor(created, seed);
  const folder = path.join(
    path.resolve(target.environment.cwd, sessionsFolder(target.root, target.environment)),
    id,
  );
  const rows: IndexRow[] = [];
  const scribe = new Scribe({ id, created, seed, ref, ledger: input.ledger });
  const children = input.children.map((child) =>
    planChild(child, { root: id, folder, cwd, ref, seed, rows }, target),
  );
  const at = (name: string) => path.join(folder, name);
  const messages = at(messagesFile(id));
  const manifest = () => ({
    ...manifestOf(id, cwd, created, scribe, input),
    messages_path: messages,
    ...(scribe.compaction !== undefined && { compaction_path: at(compactionFile(id)) }),
  });
  rows.unshift({ manifest, messages });
  const actions: Action[] = [
    messagesAction(messages, input, scribe, { agent: "lead", sessionId: id, origin: { mode: "user" } }, true),
    {
      do: "create",
      path: at(manifestFile(id)),
      content: async function* () {
        yield `${JSON.stringify(manifest(), null, 2)}\n`;
      },
      mode: 0o644,
    },
    // Whether there was a compaction is known at the end: no line, no file.
    {
      do: "append",
      path: at(compactionFile(id)),
      lines: () => (scribe.compaction === undefined ? "" : `${scribe.compaction}\n`),
    },
    ...(await indexRows(rows, target)),
  ];
  return { id, cwd, actions, children };
}

interface Above {
  /** The session that all subagents are of, also those of subagents. */
  root: string;
  folder: string;
  cwd: string;
  /** As the source has it. */
  ref: SessionRef;
  seed: string;
  rows: IndexRow[];
}

function planChild(input: SessionInput, above: Above, target: Target): SessionPlan {
  const path = pathOf(target.environment);
  const { ref } = input;
  const created = createdOf(input);
  const seed = `${above.seed} ${ref.id}`;
  const stem = agentFor(created, seed);
  const id = childId(above.root, stem);
  const scribe = new Scribe({ id, created, seed, ref, ledger: input.ledger, above: above.ref });
  const messages = path.join(above.folder, messagesFile(stem));
  above.rows.push({
    manifest: () => ({ ...manifestOf(id, above.cwd, created, scribe, input), messages_path: messages }),
    messages,
    child: { parent: above.root, agent: stem },
  });
  const origin = { mode: "subagent", parentThreadId: above.root, subagent: stem };
  const head = { agent: "subagent", sessionId: id, taskType: "subagent_task", origin };
  return {
    id,
    cwd: above.cwd,
    actions: [messagesAction(messages, input, scribe, head, false)],
    children: input.children.map((child) => planChild(child, above, target)),
  };
}

function createdOf({ ref }: SessionInput): string {
  return new Date(isoTime(ref.createdAt) ?? isoTime(ref.updatedAt) ?? EPOCH).toISOString();
}

function messagesAction(
  path: string,
  input: SessionInput,
  scribe: Scribe,
  { origin, ...head }: { agent: string; sessionId: string; taskType?: string; origin: object },
  isLead: boolean,
): CreateAction {
  const { sessionId } = head;
  const shell = JSON.stringify({
    version: 1,
    ...head,
    origin: { source: "cli", ...origin, sessionId, version: VERSION },
  });
  async function* content(): AsyncGenerator<string> {
    yield `${shell.slice(0, -1)},"messages":[`;
    for await (const event of input.events()) {
      scribe.take(event);
      if (scribe.size >= PIECE) yield scribe.drain();
    }
    scribe.end();
    if (isLead && scribe.isEmpty)
      throw new RefusedError("nothing was said in this session, and Cline would open an empty one");
    yield scribe.drain();
    yield `\n],"updated_at":${JSON.stringify(scribe.time)}}\n`;
  }
  return {
    do: "create",
    path,
    content,
    mtimeMs: () => Date.parse(isoTime(input.ref.updatedAt) ?? scribe.time),
  };
}

/** As the program leaves a session that came to its end. */
function manifestOf(id: string, cwd: string, created: string, scribe: Scribe, { ref }: SessionInput) {
  const title = scribe.title ?? (ref.title === undefined ? undefined : oneLine(ref.title));
  const { branch } = ref.git ?? {};
  const { prompt } = scribe;
  const ended = [created, scribe.time].sort().at(-1) ?? created;
  return {
    version: 1,
    session_id: id,
    source: "cli",
    // No process has it open.
    pid: 0,
    started_at: created,
    ended_at: ended,
    exit_code: 0,
    status: "completed",
    interactive: true,
    // The one that a person used last goes on with it.
    provider: UNKNOWN,
    model: UNKNOWN,
    cwd,
    workspace_root: cwd,
    enable_tools: true,
    enable_spawn: true,
    enable_teams: true,
    ...(prompt !== undefined && { prompt }),
    metadata: {
      sessionHistoryOrigin: { mode: "user", version: VERSION },
      ...(branch !== undefined && { git: { branch } }),
      ...(title !== undefined && { title }),
      asp: provenance(ref),
    },
  };
}
