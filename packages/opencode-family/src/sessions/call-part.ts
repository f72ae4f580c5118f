/** Calls → tool parts. */
import { type Block, legalId } from "@asp-convert/core";
import { fields } from "../json.js";
import { type Encoding, note } from "./encoding.js";

/** Legal names and ids of calls, each id once in a session, the same for the call and its result. */
export class CallNames {
  readonly #used = new Set<string>();

  /** @returns the id to write. */
  take(id: string): string {
    const legal = legalId(id);
    let unique = legal;
    for (let n = 2; this.#used.has(unique); n++) unique = legalId(`${legal.slice(0, 56)}_${n}`);
    this.#used.add(unique);
    return unique;
  }
}

export function callPart(
  block: Block & { type: "tool-call" },
  names: CallNames,
  time: number,
  encoding: Encoding,
): Record<string, unknown> {
  const { toolCallId, name: tool, arguments: input, freeform, namespace } = block;
  encoding.ledger.keep("tool-calls");
  // The program passes ids through as they are; its own may hold what others' may not.
  const callID = encoding.native ? toolCallId : names.take(toolCallId);
  const written = encoding.native ? tool : legalId(namespace === undefined ? tool : joined(namespace, tool));
  const object = fields(input);
  const asp: Record<string, unknown> = {};
  if (callID !== toolCallId) {
    asp.callID = toolCallId;
    note(encoding, "ids", "partial", legalId(toolCallId) === toolCallId ? "duplicate-id" : "id-not-legal");
  }
  if (written !== tool) asp.tool = tool;
  if (namespace !== undefined) asp.namespace = namespace;
  if (!object) asp.wrapped = freeform ? "freeform" : true;
  return {
    type: "tool",
    callID,
    tool: written,
    state: { status: "pending", input: object ?? { input: input ?? null }, raw: "", at: time },
    ...(Object.keys(asp).length > 0 && { metadata: { asp } }),
  };
}

/** MCP tools are `<server>_<tool>` here. */
function joined(namespace: string, tool: string): string {
  return tool.startsWith(namespace) ? tool : `${namespace}_${tool}`;
}
