/** The words that Kimi Code puts around results and summaries when it sends them (measured on 2.1.0). */
import type { Block } from "@asp-convert/core";
import { isBlank } from "@asp-convert/core";

export const FAILED = "<system>ERROR: Tool execution failed.</system>";
export const EMPTY = "<system>Tool output is empty.</system>";
export const FAILED_EMPTY = "<system>ERROR: Tool execution failed. Tool output is empty.</system>";
/** What a call gets that the program was interrupted at. */
export const INTERRUPTED =
  "Tool execution was interrupted before its result was recorded. Do not assume the tool completed successfully.";
/** What a call gets in a message that was put into the journal whole, where no result follows. */
export const NOT_AVAILABLE =
  "Tool result is not available in the current context. Do not assume the tool completed successfully.";
const PLAIN_EMPTY = "Tool output is empty.";

/** Of these, and of MCP servers' tools, the model is told how long they took. */
const TIMED = new Set(["Agent", "AgentSwarm", "Bash", "FetchURL", "Glob", "Grep", "WebSearch"]);

export interface Output {
  blocks: readonly Block[];
  isError: boolean;
  note: string | undefined;
  durationMs: number | undefined;
  /** undefined: the journal does not say whose result it is, and it is sent without its time. */
  tool: string | undefined;
}

/** A result as the model is sent it. */
export function sentResult({ blocks, isError, note, durationMs, tool }: Output): Block[] {
  const sent = withStatus(blocks, isError);
  if (durationMs !== undefined && tool !== undefined && (TIMED.has(tool) || tool.startsWith("mcp__"))) {
    const head = `Wall time: ${(durationMs / 1000).toFixed(3)} seconds`;
    const [first] = sent;
    if (first?.type === "text") sent[0] = text(`${head}\n${first.text}`);
    else sent.unshift(text(head));
  }
  if (note === undefined || note === "") return sent;
  const [only, more] = sent;
  return only?.type === "text" && more === undefined
    ? [text(`${only.text}\n${note}`)]
    : [...sent, text(note)];
}

function withStatus(blocks: readonly Block[], isError: boolean): Block[] {
  const [only, more] = blocks;
  if (blocks.every((block) => block.type === "text" && isBlank(block.text)))
    return [text(isError ? FAILED_EMPTY : EMPTY)];
  const single = only?.type === "text" && more === undefined ? only.text : undefined;
  if (single === undefined) return isError ? [text(FAILED), ...blocks] : [...blocks];
  if (isError) return [text(`${FAILED}\n${single}`)];
  return [text(single.trim() === PLAIN_EMPTY ? EMPTY : single)];
}

/** What was there before the program put its words around it. */
export function bareResult(blocks: readonly Block[], isError: boolean): { blocks: Block[]; failed: boolean } {
  const [first, ...rest] = blocks;
  if (first?.type !== "text") return { blocks: [...blocks], failed: false };
  const isOnly = rest.length === 0;
  if (isOnly && first.text === EMPTY && !isError) return { blocks: [], failed: false };
  if (!isError) return { blocks: [...blocks], failed: false };
  if (isOnly && first.text === FAILED_EMPTY) return { blocks: [], failed: true };
  if (isOnly && first.text.startsWith(`${FAILED}\n`))
    return { blocks: [text(first.text.slice(FAILED.length + 1))], failed: true };
  if (!isOnly && first.text === FAILED) return { blocks: rest, failed: true };
  return { blocks: [...blocks], failed: false };
}

function text(words: string): Extract<Block, { type: "text" }> {
  return { type: "text", text: words };
}
