export { type Blob, BlobError } from "./blobs.js";
export { Capture, type CaptureOptions } from "./capture/capture.js";
export type { Seen } from "./capture/session.js";
export { CapturedLog } from "./captured/log.js";
export type { Revision as CapturedRevision } from "./captured/model.js";
export {
  checkLog,
  collect,
  type KeptSession,
  type LogCheck,
  openKept,
  type Revision,
  revisions,
} from "./keeping.js";
export { type Lineage, type LineageSession, lineageOf } from "./lineage.js";
export type { Fault } from "./log/frame.js";
export { DamagedLogError } from "./log/log-file.js";
export { SessionLog } from "./session-log.js";
export {
  type Conversion,
  type FileRecord,
  identityOf,
  type MadeRecord,
  type SessionRecord,
} from "./trail/records.js";
export { createTrail, type TrailOptions } from "./trail/trail.js";
