/** A chat's lines in stretches of one sort: who speaks is told by how a line begins, as Aider tells it itself. */

export type Sort = "head" | "person" | "shown" | "agent";

export interface Stretch {
  sort: Sort;
  /** Without what the lines begin with. */
  text: string;
  /** Bytes, from the start of the chat. */
  offset: number;
  length: number;
}

export function* stretchesOf(bytes: Buffer): Generator<Stretch> {
  let open: { sort: Sort; lines: string[]; offset: number } | undefined;
  let at = 0;
  while (at < bytes.length) {
    const found = bytes.indexOf(0x0a, at);
    const end = found === -1 ? bytes.length : found + 1;
    const line = bytes.toString("utf8", at, end).replace(/\r?\n$/, "");
    const sort = sortOf(line, open?.sort);
    if (open && open.sort !== sort) {
      yield whole(open, at);
      open = undefined;
    }
    open ??= { sort, lines: [], offset: at };
    open.lines.push(bare(line, sort));
    at = end;
  }
  if (open) yield whole(open, at);
}

/** A blank line goes on with what was before it. */
function sortOf(line: string, before: Sort | undefined): Sort {
  if (line.startsWith("# aider chat started at ")) return "head";
  if (line.startsWith("#### ") || line === "####") return "person";
  if (line.startsWith("> ") || line === ">") return "shown";
  return line.trim() === "" && before !== undefined ? before : "agent";
}

/** Aider ends the lines of a person with two blanks, so that Markdown keeps them apart. */
function bare(line: string, sort: Sort): string {
  if (sort === "person") return line.slice(5).replace(/ {2}$/, "");
  return sort === "shown" ? line.replace(/^> ?/, "").trimEnd() : line;
}

function whole(
  { sort, lines, offset }: { sort: Sort; lines: string[]; offset: number },
  end: number,
): Stretch {
  return { sort, text: lines.join("\n").trim(), offset, length: end - offset };
}

/** Commands that hold a prompt; all others speak to Aider and not to its model. */
const ASKING = /^\/(?:ask|code|architect|context|chat-mode ask|a)\s+/;

/** What the model was sent of a person's words; undefined: nothing. */
export function promptOf(text: string): string | undefined {
  if (!text.startsWith("/") && !text.startsWith("!")) return text;
  const asked = ASKING.exec(text);
  return asked ? text.slice(asked[0].length) : undefined;
}
