/**
 * Portable state on the wire: each kind under its name, in a form that exists already. What such a form has no place for
 * is under `_meta.asp`, so that whoever does not know us reads the rest all the same. Keys that are not named are kept.
 */
import {
  Definition,
  Hook,
  Instruction,
  Permission,
  Relation,
  Setting,
  ToolOptions,
} from "@asp-convert/core/schema";
import { z } from "zod";

const meta = <T extends z.ZodRawShape>(shape: T) =>
  z.looseObject({ asp: z.looseObject(shape).optional() }).nullish();

/** An update of `session/update`. Here only that it is one: what is in it is read by kind. @see projection */
export const WireUpdate = z.looseObject({ sessionUpdate: z.string() });

export const ParentLink = z.object({
  id: z.string(),
  relation: z.enum(["fork", "subagent", "resume"]),
  toolCallId: z.string().optional(),
});

/** One conversation, or a part of one that is too large for a message. */
export const WireSession = z.looseObject({
  sessionId: z.string().min(1).max(1024),
  title: z.string().nullish(),
  /** Absolute. */
  cwd: z.string().nullish(),
  /** ISO 8601. */
  updatedAt: z.string().nullish(),
  /** The harness it was held in, where it was carried from another. */
  harness: z.string().min(1).max(256).nullish(),
  updates: z.array(WireUpdate),
  _meta: meta({
    createdAt: z.string().optional(),
    titleFrom: z.enum(["user", "agent", "prompt"]).optional(),
    model: z.string().optional(),
    harnessVersion: z.string().optional(),
    archived: z.boolean().optional(),
    git: z.looseObject({}).optional(),
    parent: ParentLink.optional(),
    lineage: z.array(Relation).optional(),
    /** Which part this is, from 0, and whether more come. Absent: it is whole. */
    part: z.number().int().nonnegative().optional(),
    more: z.boolean().optional(),
  }),
});

export const WireSkillFile = z
  .looseObject({
    /** Relative to the skill's folder, with `/`. */
    path: z.string(),
    text: z.string().optional(),
    /** base64 */
    blob: z.string().optional(),
    /** Permission bits; a link's text, where it is a link inside the folder. */
    _meta: meta({ mode: z.number().int().optional(), link: z.string().optional() }),
  })
  .refine(
    (file) => file.text !== undefined || file.blob !== undefined || file._meta?.asp?.link !== undefined,
    {
      message: "has neither text nor blob",
    },
  );

export const WireSkill = z.looseObject({
  name: z.string(),
  files: z.array(WireSkillFile),
  _meta: meta({
    scope: z.enum(["user", "project"]).optional(),
    project: z.string().optional(),
    path: z.string().optional(),
    /** Limits that stand in no file of the folder. */
    restrictions: z.array(z.object({ key: z.string(), value: z.unknown(), in: z.string() })).optional(),
  }),
});

const Pair = z.looseObject({ name: z.string(), value: z.string() });
const toolMeta = z.looseObject({ asp: ToolOptions.partial().loose().optional() }).nullish();

/** As ACP's `session/new` takes it. */
export const WireServer = z.union([
  z.looseObject({
    type: z.enum(["http", "sse", "ws"]),
    name: z.string(),
    url: z.string(),
    headers: z.array(Pair).default([]),
    _meta: toolMeta,
  }),
  z.looseObject({
    type: z.literal("stdio").optional(),
    name: z.string(),
    command: z.string(),
    args: z.array(z.string()).default([]),
    env: z.array(Pair).default([]),
    _meta: toolMeta,
  }),
]);

const noteSource = z.looseObject({
  harness: z.string().optional(),
  project: z.string().optional(),
  path: z.string().optional(),
});

/** A Markdown note. A deleted one has no text: who takes it forgets it. */
export const WireNote = z.looseObject({
  path: z.string(),
  text: z.string().optional(),
  deleted: z.boolean().optional(),
  source: z.union([z.string(), noteSource]).optional(),
  _meta: meta({ kind: z.enum(["note", "index"]).optional() }),
});

const settingValue = z.union([z.string(), z.boolean(), z.number()]);

/** What the standard forms cannot say, beside them. */
export const StateRest = z.looseObject({
  /** The texts that `instructions` was joined from, with where each applies. */
  instructions: z.array(Instruction).optional(),
  /** Commands, subagents and output styles. */
  definitions: z.array(Definition).optional(),
  hooks: z.array(Hook).optional(),
  /** MCP servers of a kind that ACP does not have. */
  servers: z.array(WireServer).optional(),
  settings: z
    .looseObject({
      harness: z.string(),
      options: z.array(Setting),
      permissions: z.array(Permission).optional(),
    })
    .optional(),
  /** Sessions of subagents, each before the session it belongs to. */
  children: z.array(WireSession).optional(),
});

export const WireState = z.looseObject({
  sessions: z.array(WireSession).optional(),
  /** AGENTS.md, whole. */
  instructions: z.string().optional(),
  skills: z.array(WireSkill).optional(),
  tools: z.array(WireServer).optional(),
  memory: z.array(WireNote).optional(),
  /** Values by option id. */
  settings: z.record(z.string(), settingValue).optional(),
  _meta: z.looseObject({ asp: StateRest.optional() }).nullish(),
});

export type ParentLink = z.infer<typeof ParentLink>;
export type WireUpdate = z.infer<typeof WireUpdate>;
export type WireSession = z.infer<typeof WireSession>;
export type WireSkill = z.infer<typeof WireSkill>;
export type WireServer = z.infer<typeof WireServer>;
export type WireNote = z.infer<typeof WireNote>;
export type WireState = z.infer<typeof WireState>;
export type StateRest = z.infer<typeof StateRest>;
