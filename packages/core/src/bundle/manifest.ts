/** `manifest.json` of a portable bundle folder: what is in it, each with its hash. */
import { z } from "zod";
import { type Axis, axes } from "../fidelity/axes.js";
import { Account, Loss, Tally } from "../pipeline/report.js";
import { Git } from "../session/events.js";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const axisNames = Object.keys(axes) as [Axis, ...Axis[]];

/** A native file, kept verbatim as `blobs/<blob>`. */
export const BundleFile = z.object({
  /** Relative to the root of the store it came from, with `/`. */
  relative: z.string(),
  role: z.enum(["transcript", "companion", "ancestor"]),
  /** Packed: offsets in events are those of what it unpacks to. */
  encoding: z.enum(["zstd"]).optional(),
  blob: Sha256,
  size: z.number().int().nonnegative(),
  mode: z.number().int().optional(),
  mtimeMs: z.number().optional(),
});

export const BundleSession = z.object({
  /** Canonical: sha256 over harness, native id and the transcript's sha256. */
  id: Sha256,
  harness: z.string(),
  nativeSessionId: z.string(),
  harnessVersion: z.string().optional(),
  title: z.string().optional(),
  titleFrom: z.enum(["user", "agent", "prompt"]).optional(),
  cwd: z.string().optional(),
  git: Git.optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
  timesInferred: z.boolean().optional(),
  model: z.string().optional(),
  archived: z.boolean().optional(),
  /** By native id, as the harness knows it. */
  parent: z
    .object({
      id: z.string(),
      relation: z.enum(["fork", "subagent", "resume"]),
      toolCallId: z.string().optional(),
    })
    .optional(),
  /** Canonical ids of its subagents' sessions. */
  children: z.array(Sha256),
  messages: z.number().int().nonnegative(),
  toolCalls: z.number().int().nonnegative(),
  /** `sessions/<id>/events.ndjson`: one envelope a line. */
  events: z.object({
    sha256: Sha256,
    bytes: z.number().int().nonnegative(),
    count: z.number().int().nonnegative(),
  }),
  /** In the order that events know them by. */
  files: z.array(BundleFile),
  records: Account,
  axes: z.partialRecord(z.enum(axisNames), Tally),
  losses: z.array(Loss),
});

export const BundleManifest = z.object({
  format: z.literal("asp-bundle-folder"),
  version: z.literal(1),
  /** Of the envelopes. */
  schemaVersion: z.literal("1.0"),
  sessions: z.array(BundleSession),
});

export type BundleFile = z.infer<typeof BundleFile>;
export type BundleSession = z.infer<typeof BundleSession>;
export type BundleManifest = z.infer<typeof BundleManifest>;
