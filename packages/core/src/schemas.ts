/** JSON Schema of every portable shape: what `asp-convert schema` prints and `schema/*.json` holds. */
import { z } from "zod";
import { AspBundle } from "./bundle/asp-bundle.js";
import { BundleFile, BundleManifest, BundleSession } from "./bundle/manifest.js";
import { BatchLine, BatchSource } from "./pipeline/batch-line.js";
import { Account, Comparison, Loss, Place, Report, SessionReport, Tally } from "./pipeline/report.js";
import { Block } from "./session/blocks.js";
import { Correlation, Envelope, EnvelopeSource, EvidencePointer } from "./session/envelope.js";
import { Git, MessagePayload, ToolResultPayload, Usage } from "./session/events.js";
import { Relation } from "./session/lineage.js";
import {
  Provenance,
  Snapshot,
  SnapshotAction,
  SnapshotApproval,
  SnapshotMessage,
  SnapshotRun,
  SnapshotTool,
  SnapshotTurn,
} from "./session/snapshot.js";
import { Instructions } from "./state/instructions.js";
import { Memory } from "./state/memory.js";
import { Settings } from "./state/settings.js";
import { Skills } from "./state/skills.js";
import { Tools } from "./state/tools.js";

const shapes = {
  envelope: [Envelope, "An event of a session's log (L1), one a line of events.ndjson"],
  block: [Block, "A content block of a message"],
  snapshot: [Snapshot, "A session as its log projects (L2, projection 1.1)"],
  relation: [Relation, "How one session descends from another"],
  "bundle-manifest": [BundleManifest, "manifest.json of a portable bundle folder"],
  "asp-bundle": [AspBundle, "One session in one file (asp-bundle, version 1)"],
  report: [Report, "The report of a conversion (--json)"],
  comparison: [Comparison, "The report of a comparison (compare --json)"],
  "batch-line": [BatchLine, "A line of a batch's report.ndjson"],
  instructions: [Instructions, "Portable instructions"],
  skills: [Skills, "Portable skills"],
  tools: [Tools, "Portable MCP servers and hooks"],
  memory: [Memory, "Portable memory notes"],
  settings: [Settings, "Portable settings"],
} as const satisfies Record<string, readonly [z.ZodType, string]>;

/** Shapes that others are made of: named once in a schema, and referred to. */
const parts = z.registry<{ id: string }>();
for (const [id, part] of Object.entries({
  ...{
    Block,
    MessagePayload,
    ToolResultPayload,
    EnvelopeSource,
    EvidencePointer,
    Correlation,
    Provenance,
    Usage,
    Git,
  },
  ...{ SnapshotRun, SnapshotTurn, SnapshotMessage, SnapshotTool, SnapshotApproval, SnapshotAction },
  ...{ BundleSession, BundleFile, SessionReport, Account, Loss, Place, Tally, BatchSource },
})) {
  parts.add(part, { id });
}

export type SchemaName = keyof typeof shapes;
export const schemaNames = Object.keys(shapes) as SchemaName[];

/** Of all shapes together; raised when a document that was valid no longer is. New optional keys change nothing. */
export const SCHEMA_VERSION = 1;

/** What a schema is known by, wherever its copy lies. */
export function schemaId(name: string): string {
  return `urn:asp-convert:schema:${SCHEMA_VERSION}:${name}`;
}

/** JSON Schema (draft 2020-12) of a shape as it is written: keys it does not name are allowed. */
export function jsonSchema(name: SchemaName): Record<string, unknown> {
  const [shape, description] = shapes[name];
  const schema = z.toJSONSchema(shape, { io: "input", metadata: parts });
  const { $schema, ...rest } = schema as Record<string, unknown>;
  return { $schema, $id: schemaId(name), title: name, description, ...rest };
}
