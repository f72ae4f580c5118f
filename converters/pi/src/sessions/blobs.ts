/** Oh My Pi keeps larger pictures apart, by the hash of their bytes. */
import { createHash } from "node:crypto";
import { type Block, pathOf, type ReadContext, type SessionEvent, type SessionRef } from "@asp-convert/core";

const BLOBS = "blobs";
const REFERENCE = /^blob:sha256:([0-9a-f]{64})$/;
const BYTES = 64 * 1024 * 1024;

/** The same event, its pictures put in their places; one that is not there is told of. */
export async function withPictures(
  event: SessionEvent,
  ref: SessionRef,
  context: ReadContext,
): Promise<SessionEvent> {
  switch (event.type) {
    case "message.completed":
      if (!event.payload.blocks.some(isElsewhere)) return event;
      return { ...event, payload: { ...event.payload, blocks: await all(event.payload.blocks) } };
    case "tool.completed":
      if (!event.payload.result.some(isElsewhere)) return event;
      return { ...event, payload: { ...event.payload, result: await all(event.payload.result) } };
    default:
      return event;
  }

  async function all(blocks: readonly Block[]): Promise<Block[]> {
    const filled: Block[] = [];
    for (const block of blocks) {
      if (!isElsewhere(block)) {
        filled.push(block);
        continue;
      }
      const [, hash = ""] = REFERENCE.exec(block.data ?? "") ?? [];
      const bytes = await blob(hash, ref, context);
      const { data, ...rest } = block;
      if (bytes) filled.push({ ...block, data: bytes.toString("base64") });
      else {
        context.ledger.note(
          { axis: "images", level: "not-in-source", reason: "missing-file" },
          event.origin[0]?.record,
        );
        filled.push({ ...rest, uri: data ?? "" });
      }
    }
    return filled;
  }
}

function isElsewhere(block: Block): block is Extract<Block, { type: "image" }> {
  return block.type === "image" && REFERENCE.test(block.data ?? "");
}

/** The folder lies beside `sessions`. Bytes that are not what they are called by are none. */
async function blob(
  hash: string,
  { path, files }: SessionRef,
  { source, environment }: ReadContext,
): Promise<Buffer | undefined> {
  const paths = pathOf(environment);
  const depth = files[0]?.relative.split("/").length ?? 0;
  const root = paths.resolve(path, ...Array<string>(depth).fill(".."));
  const bytes = await source.readFile(paths.join(root, BLOBS, hash), BYTES).catch(() => undefined);
  if (!bytes || createHash("sha256").update(bytes).digest("hex") !== hash) return undefined;
  return Buffer.from(bytes);
}
