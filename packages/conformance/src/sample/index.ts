/** The converter of the invented harness "sample": a whole one, as small as one can be. */
import {
  type Candidate,
  type Content,
  type Converter,
  defineConverter,
  type FidelityTable,
  type levels,
  type SessionPlan,
  type SessionRef,
  type Source,
  sessionAxes,
  type Target,
  uuidFrom,
} from "@asp-convert/core";
import { childTranscript, rootOf, transcript, VARIABLE } from "./layout.js";
import { listSessions } from "./list.js";
import { readSession } from "./read.js";
import { VERSION } from "./records.js";
import { planSession } from "./write.js";

const all = (level: (typeof levels)[number], except: Partial<FidelityTable> = {}): FidelityTable => ({
  ...(Object.fromEntries(Object.keys(sessionAxes).map((axis) => [axis, level])) as FidelityTable),
  ...except,
});

const absent = { absent: "sample is made for sessions alone" };

export const sample: Converter = defineConverter({
  id: "sample",
  name: "Sample",
  verified: [VERSION],
  probe,
  locate: ({ env, home }) => [...(env[VARIABLE] ? [env[VARIABLE]] : []), `${home}/.sample`],
  open: (path) =>
    Promise.resolve({
      harness: "sample",
      root: rootOf(path),
      ...(path.endsWith(".jsonl") ? { focus: path } : {}),
    }),
  sessions: {
    list: listSessions,
    read: readSession,
    write: (input, target) => planSession(input, target),
    replay,
    fidelity: {
      read: all("preserved", {
        "injected-context": "partial",
        "side-records": "evidence-only",
        raw: "evidence-only",
        approvals: "not-in-source",
        "file-snapshots": "not-in-source",
        branches: "not-in-source",
      }),
      write: all("preserved", {
        "injected-context": "evidence-only",
        "opaque-reasoning": "evidence-only",
        "tool-details": "evidence-only",
        branches: "evidence-only",
        compaction: "partial",
        lineage: "partial",
        turns: "partial",
        approvals: "evidence-only",
        "file-snapshots": "evidence-only",
        "side-records": "evidence-only",
        raw: "dropped",
      }),
    },
    resume: {
      needs: [
        { what: "a working directory", missing: (ref) => (ref.cwd ? undefined : "the session names none") },
      ],
      command: (id) => ["sample", "resume", id],
      variable: VARIABLE,
    },
    carrier: "the key `from` of the first line, which sample ignores",
  },
  instructions: absent,
  skills: absent,
  tools: absent,
  memory: absent,
  settings: absent,
});

/** Certain where the first line is a head; a folder needs sample's own marker in it. */
function probe({ kind, head, path, entries }: Candidate): number {
  if (kind === "file")
    return /^\s*\{"kind":"head"/.test(Buffer.from(head.subarray(0, 200)).toString("utf8")) ? 95 : 0;
  return entries.includes("sample.json")
    ? 95
    : entries.includes("sessions") && /[/.]sample$/.test(path)
      ? 60
      : 0;
}

function replay(ref: SessionRef, files: Source, target: Target, parent?: string): Promise<SessionPlan> {
  const changed = target.copy > 0 || target.cwd !== undefined;
  const id = changed ? uuidFrom(`sample copy ${ref.id} ${target.copy} ${target.cwd ?? ""}`) : ref.id;
  const path = parent === undefined ? transcript(target.root, id) : childTranscript(target.root, parent, id);
  const content: Content = async function* () {
    const file = await files.open(ref.path);
    const bytes = Buffer.from(file.read(0, file.size));
    file.close();
    yield changed ? renamed(bytes, ref, id, target.cwd) : bytes;
  };
  const cwd = target.cwd ?? ref.cwd;
  return Promise.all(ref.children.map((child) => replay(child, files, target, id))).then((children) => ({
    id,
    ...(cwd === undefined ? {} : { cwd }),
    actions: [{ do: "create" as const, path, content }],
    children,
  }));
}

/** Another id everywhere, and another folder in the first line; every other byte stays. */
function renamed(
  bytes: Buffer,
  { id: before, cwd: dir }: SessionRef,
  id: string,
  cwd: string | undefined,
): Buffer {
  const text = bytes.toString("latin1").replaceAll(before, id);
  if (cwd === undefined || dir === undefined) return Buffer.from(text, "latin1");
  const end = text.indexOf("\n") + 1 || text.length;
  const spelled = (path: string) => Buffer.from(`"dir":${JSON.stringify(path)}`).toString("latin1");
  return Buffer.from(
    text.slice(0, end).replace(spelled(dir), () => spelled(cwd)) + text.slice(end),
    "latin1",
  );
}
