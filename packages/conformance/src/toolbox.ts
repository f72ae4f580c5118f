/** The kit without the suite: nothing here needs vitest, so that scripts can use it. */

export { carryOut } from "./apply.js";
export { type ByHand, convertEvents, lossesOf, shortly } from "./by-hand.js";
export type { CheckName } from "./checks/index.js";
export { checks } from "./checks/index.js";
export { accounted } from "./checks/read.js";
export type { Conversion, OpenStore, Reading, Route } from "./convert.js";
export {
  convert,
  ENVIRONMENT,
  listAll,
  openStore,
  readAll,
  sessionsIn,
  TARGET_ROOT,
  unfold,
  withChildren,
} from "./convert.js";
export type { Files, SourceUse } from "./files.js";
export { counted, loadFiles, moved, sourceOf } from "./files.js";
export type { Finding, FuzzSubject } from "./fuzz/fuzz.js";
export { fuzzOnce } from "./fuzz/fuzz.js";
export type { Random } from "./fuzz/random.js";
export { randomFrom } from "./fuzz/random.js";
export type { Check, Fixture, LeafRules, Subject } from "./kit.js";
export { loadFixture, SOURCE_ROOT, unfolded } from "./kit.js";
export type { NativeProgram, ProgramSession } from "./prove.js";
export { proveResume, resumeConverted } from "./prove.js";
export type { LossEntry } from "./recording.js";
export { RecordingLedger } from "./recording.js";
export { sampleFixture } from "./sample/fixture.js";
export { sample } from "./sample/index.js";
export type { Atom, TalkOptions } from "./talk.js";
export { canonical, differences, talkOf } from "./talk.js";
