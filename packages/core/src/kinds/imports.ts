/**
 * `@path` imports inside instruction texts: found where Markdown has text (never inside code or HTML
 * comments), and resolved into a graph to tell of. The texts themselves are carried as written.
 */
import { type Environment, expandHome, isInside, pathOf } from "../io/paths.js";
import type { Source } from "../io/source.js";
import type { Import } from "../state/instructions.js";
import { readText } from "./text.js";

/** A path behind an `@` that stands at the start of a word. */
const IMPORT = /(?<=^|\s)@((?:\\ |[^\s])+)/g;
/** So deep does Claude Code follow; deeper ones are told of. */
const MAX_DEPTH = 4;
const MAX_IMPORTS = 200;

/** As much of a syntax tree's node as is looked at. */
interface MarkdownNode {
  type: string;
  value?: string;
  children?: readonly MarkdownNode[];
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
}

/** The paths a text imports, as written, in order. */
export async function findImports(text: string): Promise<string[]> {
  if (!text.includes("@")) return [];
  const [{ unified }, { default: remarkParse }] = await Promise.all([
    import("unified"),
    import("remark-parse"),
  ]);
  const found: string[] = [];
  const visit = (node: MarkdownNode): void => {
    if (node.type === "text" && node.value !== undefined) {
      const { start, end } = node.position ?? {};
      const raw =
        start?.offset !== undefined && end?.offset !== undefined
          ? text.slice(start.offset, end.offset)
          : node.value;
      for (const [, path] of raw.matchAll(IMPORT))
        found.push((path as string).replaceAll("\\ ", " ").replace(/[.,;:!?)\]]+$/, ""));
    } else for (const child of node.children ?? []) visit(child);
  };
  visit(unified().use(remarkParse).parse(text));
  return found;
}

export interface ImportBase {
  /** The importing file (absolute). */
  file: string;
  /** Imports of a project's file stay inside it; undefined: anywhere. */
  within: string | undefined;
  /** Names in the result are relative to this folder. */
  relativeTo: string;
}

/** All imports of a text, and of what it imports. What only looks like one (`@someone`) is left out. */
export async function resolveImports(
  text: string,
  base: ImportBase,
  source: Source,
  environment: Environment,
): Promise<Import[]> {
  const paths = pathOf(environment);
  const imports: Import[] = [];
  await follow(text, base.file, 1, [base.file]);
  return imports;

  async function follow(body: string, file: string, depth: number, chain: readonly string[]): Promise<void> {
    for (const path of await findImports(body)) {
      if (imports.length >= MAX_IMPORTS) return;
      const target = paths.resolve(paths.dirname(file), expandHome(path, environment));
      const add = (status: Import["status"]): void => {
        imports.push({ path, status, in: paths.relative(base.relativeTo, file).replaceAll("\\", "/") });
      };
      if (base.within !== undefined && !isInside(target, base.within, environment.platform)) add("outside");
      else if (chain.includes(target)) add("cycle");
      else if ((await source.stat(target))?.kind === "file") {
        if (depth > MAX_DEPTH) add("deep");
        else {
          add("found");
          const inner = await readText(source, target);
          if (inner) await follow(inner.text, target, depth + 1, [...chain, target]);
        }
      } else if (/\.\w{1,8}$/.test(path)) add("missing");
    }
  }
}
