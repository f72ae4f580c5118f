/**
 * The portable shapes in other languages, made from schema/*.json by quicktype: sdk/{typescript,python,go}.
 * `npm run sdk` writes them anew; a test compares, compiles and runs them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  FetchingJSONSchemaStore,
  InputData,
  JSONSchemaInput,
  type LanguageName,
  quicktype,
} from "quicktype-core";

const root = join(import.meta.dirname, "..");

/** The files that people keep and send. */
const SHAPES = [
  "envelope",
  "snapshot",
  "relation",
  "bundle-manifest",
  "asp-bundle",
  "report",
  "batch-line",
  "comparison",
  "instructions",
  "skills",
  "tools",
  "memory",
  "settings",
] as const;

interface Made {
  readonly language: LanguageName;
  /** Relative to the top of the repository. */
  readonly path: string;
  readonly options: Readonly<Record<string, string>>;
  readonly comment: string;
}

export const sdks: readonly Made[] = [
  {
    language: "typescript",
    path: "sdk/typescript/asp.ts",
    options: { "just-types": "true", "prefer-unions": "true" },
    comment: "//",
  },
  { language: "python", path: "sdk/python/asp.py", options: { "python-version": "3.7" }, comment: "#" },
  { language: "go", path: "sdk/go/asp.go", options: { package: "asp" }, comment: "//" },
];

export async function sdkText({ language, options, comment }: Made): Promise<string> {
  const schemas = new JSONSchemaInput(new FetchingJSONSchemaStore());
  for (const name of SHAPES)
    await schemas.addSource({ name, schema: readFileSync(join(root, `schema/${name}.json`), "utf8") });
  const inputData = new InputData();
  inputData.addInput(schemas);
  const { lines } = await quicktype({
    inputData,
    lang: language,
    rendererOptions: options,
    leadingComments: [],
  });
  return `${comment} Made from schema/*.json by \`npm run sdk\`.\n\n${lines.join("\n").trimEnd()}\n`;
}

if (import.meta.main) for (const made of sdks) writeFileSync(join(root, made.path), await sdkText(made));
