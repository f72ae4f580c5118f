import type { Command } from "commander";
import { UsageError } from "../errors.js";
import type { CommonOptions } from "../options.js";
import { withCommon } from "../options.js";
import type { Terminal } from "../terminal.js";

export function define(command: Command, terminal: Terminal): void {
  command.argument("[shape]", "one shape; none: the names of all");
  withCommon(command)
    .addHelpText(
      "after",
      "\n  asp-convert schema report\n  asp-convert schema --json      every shape by its name, in one document",
    )
    .action((name: string | undefined, options: CommonOptions) => run(name, options, terminal));
}

async function run(name: string | undefined, options: CommonOptions, terminal: Terminal): Promise<void> {
  const [{ jsonSchema, schemaNames: portable }, { acpJsonSchema, acpSchemaNames }] = await Promise.all([
    import("@asp-convert/core/schema"),
    import("@asp-convert/acp/schema"),
  ]);
  const forms = new Map<string, () => object>([
    ...portable.map((each) => [each, () => jsonSchema(each)] as const),
    ...acpSchemaNames.map((each) => [each, () => acpJsonSchema(each)] as const),
  ]);
  const schemaNames = [...forms.keys()];
  const json = (value: unknown) => terminal.print(JSON.stringify(value, undefined, 2));
  if (name === undefined && !options.json) return terminal.print(schemaNames.join("\n"));
  if (name === undefined) return json(Object.fromEntries([...forms].map(([each, make]) => [each, make()])));
  const found = forms.get(name);
  if (found) return json(found());
  const { nearest } = await import("@asp-convert/core");
  const near = nearest(name, schemaNames);
  throw new UsageError(
    `there is no shape "${name}"${near.length > 0 ? `; did you mean ${near.join(" or ")}?` : ""}`,
    `Shapes: ${schemaNames.join(", ")}`,
  );
}
