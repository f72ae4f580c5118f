/** JSON Schema of every form of the protocol: `asp-convert schema` prints them, `schema/*.json` holds them. */
import { schemaId } from "@asp-convert/core/schema";
import { z } from "zod";
import { AspCapabilities, InitializeAnswer, SteeredPrompt } from "./capabilities.js";
import {
  DescribeAnswer,
  DescribeParams,
  ExportAnswer,
  ExportParams,
  ImportAnswer,
  ImportParams,
} from "./methods.js";
import { WireNote, WireServer, WireSession, WireSkill, WireState } from "./state.js";

const shapes = {
  "asp-capabilities": [AspCapabilities, "_meta.asp of an agent's capabilities"],
  "asp-initialize": [InitializeAnswer, "The answer to initialize, as far as ASP is in it"],
  "asp-prompt": [SteeredPrompt, "session/prompt that says what it does while a turn runs"],
  "asp-describe": [DescribeParams, "_asp/state/describe"],
  "asp-describe-answer": [DescribeAnswer, "The answer to _asp/state/describe"],
  "asp-export": [ExportParams, "_asp/state/export"],
  "asp-export-answer": [ExportAnswer, "The answer to _asp/state/export"],
  "asp-import": [ImportParams, "_asp/state/import"],
  "asp-import-answer": [ImportAnswer, "The answer to _asp/state/import"],
} as const satisfies Record<string, readonly [z.ZodType, string]>;

const parts = z.registry<{ id: string }>();
for (const [id, part] of Object.entries({ WireState, WireSession, WireSkill, WireServer, WireNote }))
  parts.add(part, { id });

export type AcpSchemaName = keyof typeof shapes;
export const acpSchemaNames = Object.keys(shapes) as AcpSchemaName[];

/** JSON Schema (draft 2020-12) of a form as it is sent. */
export function acpJsonSchema(name: AcpSchemaName): Record<string, unknown> {
  const [shape, description] = shapes[name];
  const { $schema, ...rest } = z.toJSONSchema(shape, { io: "input", metadata: parts }) as Record<
    string,
    unknown
  >;
  return { $schema, $id: schemaId(name), title: name, description, ...rest };
}
