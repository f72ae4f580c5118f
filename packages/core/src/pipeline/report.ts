/** The report of a conversion (`--json`): stable, versioned by `asp`. What a person reads is made from it. */
import { z } from "zod";
import { type Axis, axes, levels } from "../fidelity/axes.js";
import { type Reason, reasons } from "../fidelity/reasons.js";
import { Relation } from "../session/lineage.js";

const axisNames = Object.keys(axes) as [Axis, ...Axis[]];
const reasonNames = Object.keys(reasons) as [Reason, ...Reason[]];

export const Place = z.object({
  session: z.string().optional(),
  /** Ordinal of the native record, from 0. */
  record: z.number().int().optional(),
  /** For what is no record: a name, a path, a key. */
  item: z.string().optional(),
});

export const Loss = z.object({
  kind: z.enum(["sessions", "instructions", "skills", "tools", "memory", "settings"]),
  axis: z.enum(axisNames),
  level: z.enum(levels).exclude(["preserved"]),
  reason: z.enum(reasonNames),
  /** Exact; `places` are the first few only. */
  count: z.number().int(),
  places: z.array(Place),
});

/** Native records: `read` = `mapped` + `evidence` + `lost`, always. */
export const Account = z.object({
  read: z.number().int(),
  mapped: z.number().int(),
  evidence: z.number().int(),
  lost: z.number().int(),
});

/** How much of an axis arrived, arrived changed or only as evidence, or did not arrive. */
export const Tally = z.object({
  kept: z.number().int(),
  degraded: z.number().int(),
  dropped: z.number().int(),
});

export const SessionReport = z.object({
  /** The native id in the source, and the harness it is a session of. */
  id: z.string(),
  harness: z.string(),
  /** The native id in the target. */
  newId: z.string(),
  /** For a subagent's session: the `id` of the one it belongs to. */
  parent: z.string().optional(),
  title: z.string().optional(),
  cwd: z.string().optional(),
  records: Account,
  /** Of person and agent, on the active branch. */
  messages: z.number().int(),
  toolCalls: z.number().int(),
  /**
   * `replayed`: the native bytes themselves. `written`: from events. `returned`: the target's own bytes as they were when
   * the session left it, and after them what was said elsewhere.
   */
  how: z.enum(["replayed", "written", "returned"]),
  /** With `returned`: the target's own session that came back, and how many bytes of its transcript were put back. */
  returned: z.object({ id: z.string(), bytes: z.number().int() }).optional(),
  /**
   * `created`: new files. `unchanged`: the target held the very same already, nothing was done.
   * `copied`: the target held something else under that id, so this one got a new id.
   */
  outcome: z.enum(["created", "unchanged", "copied"]),
  /**
   * Absent where the harness resumes it with its parent only. `env`: set these for a store that is not the default one.
   * `first`: commands that take it in before.
   */
  resume: z
    .object({
      cwd: z.string().optional(),
      env: z.record(z.string(), z.string()).optional(),
      first: z.array(z.array(z.string())).optional(),
      command: z.array(z.string()),
    })
    .optional(),
  relation: Relation.optional(),
  /** Absolute paths. */
  files: z.array(z.string()),
});

/**
 * One instruction file, skill, server, note or option. `written`: it went over whole; `changed`: not as it was;
 * `present`: the target has it already; `left`: it stayed behind.
 */
export const ItemReport = z.object({
  kind: z.enum(["instructions", "skills", "tools", "memory", "settings"]),
  item: z.string(),
  scope: z.string(),
  project: z.string().optional(),
  outcome: z.enum(["written", "changed", "present", "left"]),
  reason: z.enum(reasonNames).optional(),
  note: z.string().optional(),
});

/** Something in a store that could not be read, and why. */
export const Unreadable = z.object({ path: z.string(), reason: z.string() });

export const Report = z.object({
  asp: z.literal(1),
  /** Nothing was written. */
  dryRun: z.boolean().optional(),
  from: z.object({ harness: z.string(), versions: z.array(z.string()), path: z.string() }),
  to: z.object({ harness: z.string(), path: z.string() }),
  sessions: z.array(SessionReport),
  /** Files and folders of the source that could not be read: what is in them was not looked at. */
  unreadable: z.array(Unreadable).optional(),
  kinds: z.record(z.string(), z.object({ read: z.number().int(), written: z.number().int() })),
  notTaken: z.array(z.object({ kind: z.string(), reason: z.string(), item: z.string().optional() })),
  /** Of the kinds beside sessions: each thing, and what became of it. */
  items: z.array(ItemReport),
  /** Per axis, over all sessions. Axes that nothing touched are left out. */
  axes: z.partialRecord(z.enum(axisNames), Tally),
  losses: z.array(Loss),
  /** With `--share`: how many secrets became markers, by kind. */
  redacted: z.record(z.string(), z.number().int()).optional(),
  /** Takes it back: `asp-convert undo <receipt>`. Absent when nothing was written. */
  receipt: z.string().optional(),
});

/** A comparison: the report of a dry run, and per axis what the two converters declare. */
export const Comparison = Report.extend({
  declared: z.partialRecord(z.enum(axisNames), z.enum(levels)),
});

export type Unreadable = z.infer<typeof Unreadable>;
export type Tally = z.infer<typeof Tally>;
export type SessionReport = z.infer<typeof SessionReport>;
export type ItemReport = z.infer<typeof ItemReport>;
export type Report = z.infer<typeof Report>;
export type Comparison = z.infer<typeof Comparison>;
