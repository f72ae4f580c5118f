/** What a conversion may keep or lose: a closed list. A converter declares a level for each, per direction. */

/** Axes of the `sessions` kind, each with the words a person reads. */
export const sessionAxes = {
  messages: "what the person and the agent said",
  "injected-context": "context the program added by itself",
  "tool-calls": "tool calls with their arguments",
  "tool-results": "tool results as the model saw them",
  "tool-details": "what the program shows of a result beyond that (exit codes, patches)",
  thinking: "readable reasoning",
  "opaque-reasoning": "signatures and encrypted reasoning",
  images: "pictures",
  documents: "documents and other attached files",
  title: "title",
  times: "time of each message",
  cwd: "working directory",
  git: "git branch and commit",
  models: "which model answered",
  usage: "token counts",
  settings: "model, effort and mode as they changed",
  turns: "turn boundaries and how they ended",
  compaction: "compactions and their summaries",
  branches: "abandoned branches (rewinds, edits)",
  lineage: "forks and the session they came from",
  subagents: "sessions of subagents",
  plans: "task lists and plans",
  approvals: "permission questions and answers",
  errors: "errors shown to the person",
  "file-snapshots": "file checkpoints for undo",
  ids: "native ids of messages and calls",
  "side-records": "other records of the program's own",
  raw: "bytes that could not be read",
} as const;

/** Axes of the five other kinds: one per thing a person would miss. */
export const stateAxes = {
  instructions: "instruction texts",
  "instruction-scopes": "where an instruction applies",
  skills: "skill folders",
  "skill-restrictions": "what a skill is allowed to do",
  commands: "slash commands and prompts",
  agents: "subagent definitions",
  "output-styles": "output styles",
  plugins: "plugins",
  hooks: "hooks",
  "mcp-servers": "MCP servers",
  "mcp-options": "options of MCP servers (timeouts, filters, approval)",
  secrets: "secret values",
  notes: "memory notes",
  options: "settings",
  permissions: "permission rules",
} as const;

export const axes = { ...sessionAxes, ...stateAxes } as const;

export type SessionAxis = keyof typeof sessionAxes;
export type StateAxis = keyof typeof stateAxes;
export type Axis = keyof typeof axes;

/** Best first. `partial`: merged or re-encoded; `evidence-only`: kept in the native bytes, not shown by the target. */
export const levels = ["preserved", "partial", "evidence-only", "dropped", "not-in-source"] as const;
export type Level = (typeof levels)[number];

export type FidelityTable<A extends Axis = SessionAxis> = Record<A, Level>;

/** The level left after one conversion that reads at `read` and writes at `write`: the worse of the two. */
export function through(read: Level, write: Level): Level {
  if (read === "not-in-source" || write === "not-in-source") return "not-in-source";
  return levels[Math.max(levels.indexOf(read), levels.indexOf(write))] as Level;
}
