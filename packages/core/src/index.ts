export type { AspBundle } from "./bundle/asp-bundle.js";
export { bundle } from "./bundle/index.js";
export { BundleError } from "./bundle/layout.js";
export type { BundleFile, BundleManifest, BundleSession } from "./bundle/manifest.js";
export type { SingleBundle } from "./bundle/single.js";
export type { Verified } from "./bundle/verify.js";
export { converterProblems, isConverter } from "./converter/check.js";
export type * from "./converter/contract.js";
export { defineConverter, RefusedError } from "./converter/contract.js";
export type * from "./converter/kinds.js";
export { lazyCall, lazyEach, lazyKind } from "./converter/lazy.js";
export { candidateOf } from "./converter/probe.js";
export { projectStore } from "./converter/project.js";
export type { ReadKind } from "./converter/read-kind.js";
export { readKind } from "./converter/read-kind.js";
export { defineReader } from "./converter/reader.js";
export type { Detected, DetectOptions, Registry } from "./converter/registry.js";
export {
  createRegistry,
  rootsOf,
  SeveralStoresError,
  TieError,
  UnknownHarnessError,
  UnknownStoreError,
} from "./converter/registry.js";
export { nearest } from "./converter/suggest.js";
export { unlessUnreadable } from "./converter/unreadable.js";
export { CONTRACT } from "./converter/version.js";
export type { Axis, FidelityTable, Level, SessionAxis, StateAxis } from "./fidelity/axes.js";
export { axes, levels, sessionAxes, stateAxes, through } from "./fidelity/axes.js";
export type { Account, Loss, LossWatcher, Place } from "./fidelity/ledger.js";
export { AccountError, LossLedger } from "./fidelity/ledger.js";
export { checkResume } from "./fidelity/profile.js";
export type { Reason } from "./fidelity/reasons.js";
export { reasons } from "./fidelity/reasons.js";
export type { MatrixRow, Summary } from "./fidelity/report.js";
export { markdownTable, matrix, sentence, summarize } from "./fidelity/report.js";
export { keepWhole } from "./fidelity/whole.js";
export { aspBundle } from "./interchange/asp-bundle.js";
export { defineFormat, fileIn } from "./interchange/format.js";
export { markdown } from "./interchange/markdown.js";
export type { Appendable } from "./io/appendable.js";
export { openAppendable } from "./io/appendable.js";
export { blocksOf, bytesOf } from "./io/blocks.js";
export { BusyError } from "./io/busy.js";
export { holdsCredentials } from "./io/credentials.js";
export { diskSource } from "./io/disk.js";
export type { DocumentObject, DocumentParts } from "./io/document.js";
export { documentParts } from "./io/document.js";
export { documentTail } from "./io/document-tail.js";
export { readHead } from "./io/head.js";
export { type Leftovers, leftoversIn } from "./io/leftovers.js";
export type { Line, LineOptions, Piece } from "./io/lines.js";
export { lineBatches, MAX_LINE, pieceAt, piecesOf, stringEnd } from "./io/lines.js";
export type { HeldLocks, LockMark } from "./io/lock.js";
export { holdFolder } from "./io/lock.js";
export { memorySource } from "./io/memory.js";
export { inPieces, TextPieces } from "./io/output.js";
export type { Environment } from "./io/paths.js";
export { below, distinctRoots, expandHome, isInside, pathOf, safeRelative, samePath } from "./io/paths.js";
export {
  dropFiles,
  placeFiles,
  putFile,
  removeFiles,
  type StagedFile,
  stageFile,
  touched,
} from "./io/put.js";
export { rowLine, rowOfLine, sqlLiteral, sqlValueOf } from "./io/row-line.js";
export type { RowsView } from "./io/rows-view.js";
export { rowsView } from "./io/rows-view.js";
export type { Slice, Slices, SlicesView } from "./io/slices-view.js";
export { slicesOf } from "./io/slices-view.js";
export type { DirEntry, FileInfo, OpenFile, Source } from "./io/source.js";
export { SourceError } from "./io/source.js";
export type { Spooled } from "./io/spool.js";
export type { Database, SqlRow, SqlValue } from "./io/sql.js";
export { changedAt, foldersIn, stampOf } from "./io/stamp.js";
export { stateFolder } from "./io/state.js";
export type { TransactionOptions as ApplyOptions, TransactionOptions } from "./io/transaction.js";
export type { WriteFault } from "./io/write-error.js";
export { WriteError } from "./io/write-error.js";
export {
  apply,
  beginTransaction,
  compare,
  convert,
  convertInto,
  databaseOf,
  databaseWith,
  holdTarget,
  listReceipts,
  materialize,
  openMade,
  openZstd,
  readAspBundle,
  spool,
  undo,
  verifyBundle,
  writeAspBundle,
} from "./on-call.js";
export type { BatchLine, BatchSource } from "./pipeline/batch-line.js";
export { ChangedSinceError, ForbiddenLossError, UnknownReceiptError } from "./pipeline/errors.js";
export type {
  Action,
  AppendAction,
  Content,
  CreateAction,
  EditAction,
  LinkAction,
  RowChange,
  RowsAction,
} from "./pipeline/plan.js";
export { measure } from "./pipeline/plan.js";
export type { Receipt, ReceiptEntry, ReceiptState } from "./pipeline/receipt.js";
export type { Comparison, ItemReport, Report, SessionReport, Tally, Unreadable } from "./pipeline/report.js";
export type { ConvertRequest, Progress } from "./pipeline/request.js";
export type { Stager, Written } from "./pipeline/stage.js";
export { ConflictError, RollbackError } from "./pipeline/stage.js";
export type { ConvertedState } from "./pipeline/state.js";
export type { StateRequest } from "./pipeline/state-request.js";
export type { KindItem } from "./pipeline/state-words.js";
export { stateKinds, whyLeft } from "./pipeline/state-words.js";
export type { Arrival, Departure, Homecoming, LostWay, Noting, Settled, Trail } from "./pipeline/trail.js";
export { noteBeneath } from "./session/beneath.js";
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
export { carriedLines } from "./session/carried.js";
export { countOf } from "./session/count.js";
export type * from "./session/event.js";
export { event } from "./session/event.js";
export { digest, eventId, legalId, sessionId, timedUuidFrom, uuidFrom } from "./session/identity.js";
export { keepJson, keptJson } from "./session/json-text.js";
export type { Relation, RelationType } from "./session/lineage.js";
export { conversionRelation, relate } from "./session/relation.js";
export type { Envelope, EnvelopeOf, EvidencePointer, Layer, SealContext } from "./session/seal.js";
export { seal, sealer, unseal } from "./session/seal.js";
export type { Snapshot } from "./session/snapshot.js";
export { startedOf } from "./session/started.js";
export { isTellingStop } from "./session/stop.js";
export { isBlank, wellFormed } from "./session/text.js";
export { Titles } from "./session/titles.js";
export { legalToolName } from "./session/tool-name.js";
export { unplaced } from "./session/unplaced.js";
export { WriterAccount, type WriterAccountOptions } from "./session/writer-account.js";
export { sharedEvents } from "./share/events.js";
export { type Redactor, redactor } from "./share/redact.js";
export type { Import, Instruction, Instructions } from "./state/instructions.js";
export type { Memory, Note } from "./state/memory.js";
export type { Permission, Setting, Settings } from "./state/settings.js";
export type { Definition, Restriction, Skill, SkillFile, Skills } from "./state/skills.js";
export type { Hook, McpServer, Pair, RemoteServer, StdioServer, ToolOptions, Tools } from "./state/tools.js";
