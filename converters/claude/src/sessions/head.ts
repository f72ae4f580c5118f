/** What the index is told of one record. */
import { isoTime } from "@asp-convert/core/values";
import { flag, isTyped, kindNamed, kinds } from "./kinds.js";
import { type Json, list, object, text } from "./value.js";

/** What is known of one record. `undefined`: absent; `null` only for a parent that is null. */
export class Head {
  kind = 0;
  flags = 0;
  /** The type's name. */
  type: string | undefined;
  /** ms since 1970, NaN where there is none. */
  time = Number.NaN;
  /** Where the uuid's and the parent's text lie in `bytes`; `From` -1: absent. */
  bytes: Buffer = Buffer.alloc(0);
  uuidFrom = -1;
  uuidTo = -1;
  parentFrom = -1;
  parentTo = -1;
  /** `message.id` of an assistant record. */
  group: string | undefined;
  model: string | undefined;
  leaf: string | undefined;
  logicalParent: string | undefined;
  sessionId: string | undefined;
  agentId: string | undefined;
  /** For these three, only what differs from record to record is worth a string: see `same`. */
  cwd: string | undefined;
  version: string | undefined;
  branch: string | undefined;

  reset(): void {
    this.kind = kinds.other;
    this.flags = 0;
    this.type = undefined;
    this.time = Number.NaN;
    this.uuidFrom = -1;
    this.parentFrom = -1;
    this.group = undefined;
    this.model = undefined;
    this.leaf = undefined;
    this.logicalParent = undefined;
    this.sessionId = undefined;
    this.agentId = undefined;
    this.cwd = undefined;
    this.version = undefined;
    this.branch = undefined;
  }
}

/** What `Scanner.scan` finds in bytes, found in a parsed value: the slow way, for the few lines that are odd. */
export function headOf(record: Json, head: Head): void {
  head.reset();
  head.type = text(record.type);
  head.kind = kindNamed(head.type ?? "");
  const uuid = text(record.uuid);
  const parent = text(record.parentUuid);
  head.bytes = Buffer.from(`${uuid ?? ""}${parent ?? ""}`);
  const between = Buffer.byteLength(uuid ?? "");
  if (uuid !== undefined) [head.uuidFrom, head.uuidTo] = [0, between];
  if (parent !== undefined) [head.parentFrom, head.parentTo] = [between, head.bytes.length];
  head.time = Date.parse(isoTime(record.timestamp) ?? "");
  head.leaf = text(record.leafUuid);
  head.logicalParent = text(record.logicalParentUuid);
  head.sessionId = text(record.sessionId);
  head.agentId = text(record.agentId);
  head.cwd = text(record.cwd);
  head.version = text(record.version);
  head.branch = text(record.gitBranch);
  if (record.isSidechain === true) head.flags |= flag.sidechain;
  if (record.isMeta === true) head.flags |= flag.meta;
  if (record.isApiErrorMessage === true) head.flags |= flag.apiError;
  if (record.isCompactSummary === true) head.flags |= flag.summary;
  if (typeof record.lastPrompt === "string") head.flags |= flag.words;
  if (record.explicit === true) head.flags |= flag.explicit;
  if (record.subtype === "compact_boundary") head.flags |= flag.boundary;
  if (record.subtype === "local_command") head.flags |= flag.localCommand;
  if (object(record.attachment)?.type === "queued_command") head.flags |= flag.queued;
  const message = object(record.message);
  if (!message) return;
  head.group = text(message.id);
  head.model = text(message.model);
  head.flags |= contentFlags(message.content);
}

function contentFlags(content: unknown): number {
  if (typeof content === "string") return flag.text | (isTyped(content) ? flag.prompt : 0);
  let flags = 0;
  for (const item of list(content) ?? []) {
    const block = object(item);
    switch (block?.type) {
      case "text":
        flags |= flag.text | (isTyped(text(block.text) ?? "") ? flag.prompt : 0);
        break;
      case "tool_use":
        flags |= flag.call;
        break;
      case "tool_result":
        flags |= flag.result;
        break;
      case "image":
      case "document":
        flags |= flag.image | flag.prompt;
        break;
    }
  }
  return flags;
}
