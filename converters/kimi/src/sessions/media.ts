/** Larger pictures stand beside the journal, by a hash: they are put into their places when they are told. */
import { createHash } from "node:crypto";
import { type Block, pathOf, type ReadContext, type SessionEvent, type SessionRef } from "@asp-convert/core";
import { BLOBS } from "../layout.js";

const REFERENCE = /^blobref:([^;]*);([0-9a-f]{64})$/;
const BYTES = 64 * 1024 * 1024;

/** The same event with its pictures; one that is not there is told of. */
export async function withMedia(
  event: SessionEvent,
  ref: SessionRef,
  context: ReadContext,
): Promise<SessionEvent> {
  switch (event.type) {
    case "message.completed":
      if (!event.payload.blocks.some(isElsewhere)) return event;
      return { ...event, payload: { ...event.payload, blocks: await filled(event.payload.blocks) } };
    case "tool.completed":
      if (!event.payload.result.some(isElsewhere)) return event;
      return { ...event, payload: { ...event.payload, result: await filled(event.payload.result) } };
    case "status.changed": {
      if (!event.payload.context) return event;
      const whole: SessionEvent[] = [];
      for (const each of event.payload.context) whole.push(await withMedia(each, ref, context));
      return { ...event, payload: { ...event.payload, context: whole } };
    }
    default:
      return event;
  }

  async function filled(blocks: readonly Block[]): Promise<Block[]> {
    const whole: Block[] = [];
    for (const block of blocks) {
      const [, mimeType = "", hash = ""] = isElsewhere(block) ? (REFERENCE.exec(block.uri ?? "") ?? []) : [];
      const data = hash === "" ? undefined : await blob(hash, ref, context);
      if (hash !== "" && data === undefined)
        context.ledger.note(
          { axis: "images", level: "not-in-source", reason: "missing-file" },
          event.origin[0]?.record,
        );
      if (data === undefined) whole.push(block);
      else if (block.type === "image") {
        const { uri: _, ...rest } = block;
        whole.push({ ...rest, mimeType, data });
      } else if (block.type === "reference") whole.push({ ...block, mediaType: mimeType, data });
    }
    return whole;
  }
}

function isElsewhere(block: Block): block is Extract<Block, { type: "image" | "reference" }> {
  return (block.type === "image" || block.type === "reference") && REFERENCE.test(block.uri ?? "");
}

/** In Base64, of which the hash is taken. Bytes that are not what they are called by are none. */
async function blob(
  hash: string,
  { path }: SessionRef,
  { source, environment }: ReadContext,
): Promise<string | undefined> {
  const paths = pathOf(environment);
  const file = paths.join(paths.dirname(path), BLOBS, hash);
  const bytes = await source.readFile(file, BYTES).catch(() => undefined);
  const data = bytes && Buffer.from(bytes).toString("base64");
  return data !== undefined && createHash("sha256").update(data).digest("hex") === hash ? data : undefined;
}
