/** What a path is that no converter knows, so that a person sees why: its form, and whose store it is called like. */
import { type Environment, pathOf } from "../io/paths.js";
import type { Source } from "../io/source.js";
import { fields, parsed } from "../values.js";
import type { Candidate, Converter } from "./contract.js";

const SQLITE = "SQLite format 3\0";
/** Names that are told of. */
const SHOWN = 8;

/** A sentence or two, each with its point; none if there is nothing to say. */
export async function resemblance(
  candidate: Candidate,
  converters: readonly Converter[],
  source: Source,
  environment: Environment,
): Promise<string> {
  const { basename } = pathOf(environment);
  const name = basename(candidate.path);
  const called = converters.filter((converter) =>
    rootsOf(converter, environment).some((root) => basename(root) === name),
  );
  const like = called.map((converter) => converter.name).join(" or ");
  const form = await formOf(candidate, source);
  return [form, like === "" ? "" : `It is called like a store of ${like}, but holds none of its marks.`]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function rootsOf(converter: Converter, environment: Environment): readonly string[] {
  try {
    return converter.locate(environment);
  } catch {
    return [];
  }
}

async function formOf({ kind, head, entries, path }: Candidate, source: Source): Promise<string> {
  if (kind === "directory")
    return entries.length === 0 ? "The folder is empty." : `It holds ${named(entries)}.`;
  if (head.length === 0) return "The file is empty.";
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("utf8");
  if (text.startsWith(SQLITE)) return `It is an SQLite database${await tablesOf(path, source)}.`;
  const first = fields(
    parsed(
      text
        .replace(/^\uFEFF/, "")
        .split("\n", 1)[0]
        ?.trim(),
    ),
  );
  if (first) return `It is JSON, and its first record has ${named(Object.keys(first))}.`;
  if (/^\s*[[{]/.test(text)) {
    const keys = [...new Set([...text.matchAll(/"([\w.-]{1,40})"\s*:/g)].map(([, key = ""]) => key))];
    return `It is JSON; the first keys in it are ${named(keys)}.`;
  }
  return text.includes("\0") ? "It is no text." : "It is a text.";
}

async function tablesOf(path: string, source: Source): Promise<string> {
  try {
    const database = await source.openDatabase(path);
    try {
      const rows = database.all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
      return ` with the tables ${named(rows.map((row) => String(row.name)))}`;
    } finally {
      database.close();
    }
  } catch {
    return " that cannot be read";
  }
}

function named(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const shown = names.slice(0, SHOWN).map((name) => JSON.stringify(name));
  return names.length > SHOWN ? `${shown.join(", ")} and ${names.length - SHOWN} more` : shown.join(", ");
}
