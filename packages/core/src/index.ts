export type * from "./converter/contract.js";
export { defineConverter, RefusedError } from "./converter/contract.js";
export type * from "./converter/kinds.js";
export type { Axis, FidelityTable, Level, SessionAxis, StateAxis } from "./fidelity/axes.js";
export { axes, levels, sessionAxes, stateAxes, through } from "./fidelity/axes.js";
export type { Account, Loss, Place } from "./fidelity/ledger.js";
export { AccountError, LossLedger } from "./fidelity/ledger.js";
export type { Reason } from "./fidelity/reasons.js";
export { reasons } from "./fidelity/reasons.js";
export { diskSource } from "./io/disk.js";
export type { Line, LineOptions, Piece } from "./io/lines.js";
export { lineBatches, MAX_LINE, piecesOf, stringEnd } from "./io/lines.js";
export { inPieces } from "./io/output.js";
export type { Environment } from "./io/paths.js";
export { expandHome, isInside, pathOf, safeRelative, samePath } from "./io/paths.js";
export type { DirEntry, FileInfo, OpenFile, Source } from "./io/source.js";
export { SourceError } from "./io/source.js";
export type { Action, AppendAction, Content, CreateAction, EditAction, LinkAction } from "./pipeline/plan.js";
export { measure } from "./pipeline/plan.js";
export type {
  Block,
  ErrorBlock,
  ImageBlock,
  ReferenceBlock,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
  UnknownBlock,
} from "./session/blocks.js";
export type * from "./session/event.js";
export { event } from "./session/event.js";
export { digest, eventId, legalId, sessionId, timedUuidFrom, uuidFrom } from "./session/identity.js";
export { isBlank, wellFormed } from "./session/text.js";
export type { Import, Instruction, Instructions } from "./state/instructions.js";
export type { Memory, Note } from "./state/memory.js";
export type { Permission, Setting, Settings } from "./state/settings.js";
export type { Definition, Restriction, Skill, SkillFile, Skills } from "./state/skills.js";
export type { Hook, McpServer, Pair, RemoteServer, StdioServer, ToolOptions, Tools } from "./state/tools.js";
