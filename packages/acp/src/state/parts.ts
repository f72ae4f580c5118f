/** What is too large for one message goes in parts. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";

/** Most of one update: with what else is in its message it stays far below the 32 MiB that ACP's own SDK takes. */
export const MAX_UPDATE = 12 * 1024 * 1024;
/** Characters of a part; as JSON in JSON they may become several bytes each. */
const PIECE = 1024 * 1024;

/** An update as it is, or its text in parts. `size`: bytes of JSON. */
export function* inPieces(update: SessionUpdate): Generator<{ update: SessionUpdate; size: number }> {
  const text = JSON.stringify(update);
  const size = Buffer.byteLength(text);
  if (size <= MAX_UPDATE) {
    yield { update, size };
    return;
  }
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = { text: text.slice(at, at + PIECE), last: at + PIECE >= text.length };
    const part: SessionUpdate = { sessionUpdate: "session_info_update", _meta: { asp: { piece } } };
    yield { update: part, size: Buffer.byteLength(JSON.stringify(part)) };
  }
}
