/**
 * YAML front matter, read only. It is data from anywhere: JavaScript and CoffeeScript front matter, which
 * gray-matter would evaluate, is refused; YAML's aliases and size are bounded. The raw text is never changed.
 */
import { isForbiddenKey } from "./edit/error.js";

export interface FrontMatter {
  /** Top-level keys; empty where there is none, or none that can be read. */
  data: Record<string, unknown>;
  /** The text below it. */
  body: string;
  /** There is a block between `---` lines. */
  present: boolean;
  /** Why it is not, or not plainly, readable. Line and column count from the file's start. */
  problem?: { message: string; line: number; column: number };
  /** It was read all the same, on a second, lenient try. */
  recovered: boolean;
}

const MAX_FRONT_MATTER = 256 * 1024;
const MAX_ALIASES = 50;

export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const source = text.replace(/^\uFEFF/, "");
  const none: FrontMatter = { data: {}, body: source, present: false, recovered: false };
  if (!/^---/.test(source)) return none;
  const block = /^---[^\r\n]*\r?\n([\s\S]*?)(?:\r?\n)?^---[ \t]*$/m.exec(source);
  const unreadable = (message: string): FrontMatter => ({
    ...none,
    present: true,
    problem: { message, line: 1, column: 1 },
  });
  if (!block) return unreadable("the front matter has no end (`---`)");
  if ((block[1] ?? "").length > MAX_FRONT_MATTER)
    return unreadable(`the front matter is larger than ${MAX_FRONT_MATTER} characters`);

  const [{ default: matter }, yaml] = await Promise.all([import("gray-matter"), import("yaml")]);
  let problem: FrontMatter["problem"];
  let recovered = false;
  const parse = (yamlText: string): Record<string, unknown> => {
    const first = yaml.parseDocument(yamlText, { version: "1.2", uniqueKeys: true });
    const error = first.errors[0];
    if (!error) return plainObject(first.toJS({ maxAliasCount: MAX_ALIASES }));
    const at = error.linePos?.[0] ?? { line: 1, col: 1 };
    // gray-matter gives the text from the end of the first `---` line on: its lines are the file's.
    problem = {
      message: (error.message.split("\n")[0] ?? "").replace(/ at line.*$/, ""),
      line: at.line,
      column: at.col,
    };
    const second = yaml.parseDocument(quoteColons(yamlText), { version: "1.2", uniqueKeys: false });
    if (second.errors.length > 0) return {};
    recovered = true;
    return plainObject(second.toJS({ maxAliasCount: MAX_ALIASES }));
  };
  const refuse = (): never => {
    throw new Error("front matter in a programming language is not run");
  };
  try {
    const { data } = matter(source.replaceAll("\r\n", "\n"), {
      engines: { yaml: parse, js: refuse, javascript: refuse, coffee: refuse },
    });
    return {
      data: data as Record<string, unknown>,
      body: source.slice(block[0].length).replace(/^\r?\n/, ""),
      present: true,
      recovered,
      ...(problem && { problem }),
    };
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error));
  }
}

/** `description: Use when: always` → the value quoted. Only plain one-line values of the top level are touched. */
function quoteColons(block: string): string {
  return block.replace(
    /^([A-Za-z][\w-]*):[ \t]+([^\s"'[{|>&*!#].*?)[ \t]*(\r?)$/gm,
    (line, key: string, value: string, cr: string) =>
      /:(?:\s|$)|\s#/.test(value) ? `${key}: ${JSON.stringify(value)}${cr}` : line,
  );
}

function plainObject(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([key]) => !isForbiddenKey(key)));
}

/** A value as the one string it stands for; undefined if it is none. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : undefined;
}
