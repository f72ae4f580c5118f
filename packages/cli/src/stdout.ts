/** `--out -`: one session's file goes to standard output, and to no disk. */
import { once } from "node:events";
import { type Action, ConflictError, type Stager, TextPieces } from "@asp-convert/core";
import { UsageError } from "./errors.js";

/** Takes a plan of one file. What else a target would write beside it (an index) is left out. */
export function toStandardOutput(stdout: NodeJS.WritableStream, signal: AbortSignal): Stager {
  let path: string | undefined;

  async function put(bytes: Uint8Array): Promise<void> {
    signal.throwIfAborted();
    if (bytes.length > 0 && !stdout.write(bytes)) await once(stdout, "drain", { signal });
  }

  async function stage(actions: readonly Action[]): Promise<"created"> {
    for (const action of actions) {
      if (action.do === "rows")
        throw new UsageError("this target keeps its sessions in a database", "Use --out DIR.");
      if (action.do !== "create") continue;
      if (path !== undefined) throw new ConflictError(action.path);
      path = action.path;
      const { content } = action;
      if (typeof content === "string") await put(Buffer.from(content));
      else if (content instanceof Uint8Array) await put(content);
      else {
        const text = new TextPieces();
        for await (const part of content()) {
          if (typeof part === "string") text.add(part);
          else {
            for (const piece of text.end()) await put(piece);
            await put(part);
          }
          for (const piece of text.take()) await put(piece);
        }
        for (const piece of text.end()) await put(piece);
      }
    }
    return "created";
  }
  return { stage, commit: async () => undefined, rollback: async () => [] };
}
