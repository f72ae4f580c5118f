/** Where the statements of a TOML file stand, as `toml-patch`'s syntax tree tells by line and column. */
import type { TomlDocument } from "@decimalturn/toml-patch";

export interface TomlRow {
  /** With the table it stands in. */
  path: readonly string[];
  /** The table it stands in; undefined inside an inline table. */
  table: readonly string[] | undefined;
  valueFrom: number;
  valueTo: number;
  /** After its line's end. */
  to: number;
}

export interface TomlLayout {
  /** What stands in a list of tables is not among them: no path leads there. */
  rows: readonly TomlRow[];
  headers: readonly { path: readonly string[]; to: number }[];
  /** Where the first statement begins; the text's end where there is none. */
  first: number;
}

type Block = TomlDocument["cst"][number];
type Pair = Extract<Block, { equals: number }>;
interface Place {
  /** From 1. */
  line: number;
  /** From 0, in UTF-16 units. */
  column: number;
}

export function tomlLayout(text: string, blocks: readonly Block[]): TomlLayout {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const lines = [bom];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.push(at + 1);
  const offset = ({ line, column }: Place): number => (lines[line - 1] ?? text.length) + column;
  const nextLine = ({ line }: Place): number => lines[line] ?? text.length;

  const rows: TomlRow[] = [];
  const headers: { path: readonly string[]; to: number }[] = [];
  const add = (
    { key, value }: Pair,
    before: readonly string[],
    table: readonly string[] | undefined,
  ): void => {
    const path = [...before, ...key.value];
    rows.push({
      path,
      table,
      valueFrom: offset(value.loc.start),
      valueTo: offset(value.loc.end),
      to: nextLine(value.loc.end),
    });
    if (value.type === ("InlineTable" as typeof value.type) && "items" in value)
      for (const { item } of value.items) if (isPair(item)) add(item, path, undefined);
  };
  for (const block of blocks) {
    if (isPair(block)) add(block, [], []);
    else if (block.type === ("Table" as typeof block.type) && "key" in block) {
      const path = block.key.item.value;
      headers.push({ path, to: nextLine(block.key.loc.end) });
      for (const item of block.items) if (isPair(item)) add(item, path, path);
    }
  }
  const top = blocks.find((block) => "key" in block);
  return { rows, headers, first: top ? offset(top.loc.start) : text.length };
}

function isPair(node: object): node is Pair {
  return "equals" in node;
}
