/**
 * What most harnesses share beside sessions, for the five other kinds. Apart from the main entry: the
 * command line starts without it, and the parsers behind it are loaded by the functions that need them.
 */

export type { LossWords } from "./kinds/account.js";
export { belonging, change, leave, lose } from "./kinds/account.js";
export type { CarriedNote } from "./kinds/carried-notes.js";
export { carriedBlock, noteFile } from "./kinds/carried-notes.js";
export type { DefinitionPlace } from "./kinds/definitions.js";
export { readDefinitions, runsOf, toolNames, withFrontMatter } from "./kinds/definitions.js";
export { EditError, isForbiddenKey } from "./kinds/edit/error.js";
export type { JsonEditor, JsonValue } from "./kinds/edit/json.js";
export { jsonEditor } from "./kinds/edit/json.js";
export type { MarkedBlock, Split } from "./kinds/edit/markdown-block.js";
export { putBlock, splitBlocks } from "./kinds/edit/markdown-block.js";
export type { TomlEditor, TomlTable, TomlValue } from "./kinds/edit/toml.js";
export { parseToml, tomlEditor, writeToml } from "./kinds/edit/toml.js";
export type { FrontMatter } from "./kinds/front-matter.js";
export { asText, readFrontMatter } from "./kinds/front-matter.js";
export { addHook, hookLine, readHooks, sameHook } from "./kinds/hooks.js";
export { findImports, resolveImports } from "./kinds/imports.js";
export {
  instructionItem,
  instructionsIn,
  isSafeInstruction,
  namedPiece,
  unwritten,
} from "./kinds/instruction-items.js";
export type { InstructionPlace, Piece, PieceOutcome } from "./kinds/instructions.js";
export { isSameFile, planPieces, readInstruction, standsFor, takeApart } from "./kinds/instructions.js";
export { jsonObject, parseJson, readJsonObject, valueAt } from "./kinds/json-file.js";
export {
  commandLine,
  isObject,
  isStdio,
  legalServerName,
  readMcpServer,
  sameServer,
  withoutSecrets,
  writeMcpServer,
} from "./kinds/mcp.js";
export type { NoteFolder, NoteHome } from "./kinds/note-folders.js";
export { NoteWriter, noteItem, readNotes } from "./kinds/note-folders.js";
export type { Exchanged, Signature } from "./kinds/notes.js";
export {
  exchanged,
  noteHash,
  noteHeading,
  readSignature,
  signNote,
  WITHDRAWN,
  withIndexLines,
  withoutIndexLine,
  withTombstones,
} from "./kinds/notes.js";
export type { Mode, Scalar, ThoughtLevel } from "./kinds/options.js";
export {
  isMode,
  isThoughtLevel,
  modes,
  narrowest,
  nearestLevel,
  scalarsIn,
  thoughtLevels,
} from "./kinds/options.js";
export type { Reference, ValuePart } from "./kinds/references.js";
export { bearerReference, hasReference, onlyReference, partsOf, reference } from "./kinds/references.js";
export { looksSecret, variableName } from "./kinds/secrets.js";
export type { ServerForm, WrittenServer } from "./kinds/server-writer.js";
export { ServerWriter } from "./kinds/server-writer.js";
export { heldBack, runsNotHere, toldOver, withoutRestrictions } from "./kinds/skill-items.js";
export type { SkillFolderPlan, SkillLimits, SkillPlace } from "./kinds/skills.js";
export {
  inspected,
  overLimits,
  planSkillFolder,
  readSkillFolder,
  runsByItself,
  settleSkill,
  smallFile,
  standardLimits,
} from "./kinds/skills.js";
export type { TextFile } from "./kinds/text.js";
export { decode, readText } from "./kinds/text.js";
export type { WalkOptions } from "./kinds/walk.js";
export { filesBelow, gitRoot } from "./kinds/walk.js";
