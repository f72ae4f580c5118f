/** A converter that only reads: of a program that is left behind, or whose store nobody has seen take a session. */
import { type FidelityTable, type Level, sessionAxes } from "../fidelity/axes.js";
import { type Converter, defineConverter, RefusedError, type SessionsKind } from "./contract.js";
import type { StateKinds } from "./kinds.js";

interface Reader
  extends Pick<Converter, "id" | "name" | "verified" | "probe" | "locate" | "open" | "experimental">,
    Partial<StateKinds> {
  /** Why nothing is written to it: a sentence, as it stands after "not written to it: ". */
  readOnly: string;
  sessions: Pick<SessionsKind, "list" | "read" | "view" | "carried"> & {
    /** What of a session it reads. What is not named is not in the source; unread records stay in the native bytes. */
    fidelity: Partial<FidelityTable>;
  };
}

/** Declares a converter that reads sessions and writes none. Kinds that are left out are not read. */
export function defineReader({ readOnly, sessions, ...reader }: Reader): Converter {
  const { id, name } = reader;
  const { fidelity, ...reading } = sessions;
  const refusal = `sessions are read from ${name} and not written to it: ${readOnly}`;
  const refuse = () => Promise.reject(new RefusedError(refusal));
  const absent = { absent: "only its sessions are read", unread: true } as const;
  return defineConverter({
    ...{ instructions: absent, skills: absent, tools: absent, memory: absent, settings: absent },
    ...reader,
    readOnly,
    sessions: {
      ...reading,
      write: refuse,
      replay: refuse,
      fidelity: { read: { ...all("not-in-source"), ...UNREAD, ...fidelity }, write: all("dropped") },
      resume: {
        needs: [{ what: "a program that takes it", missing: () => refusal }],
        command: () => [id],
        variable: "",
      },
      carrier: "none: nothing is written",
    },
  });
}

const UNREAD = { "side-records": "evidence-only", raw: "evidence-only" } as const;

function all(level: Level): FidelityTable {
  return Object.fromEntries(Object.keys(sessionAxes).map((axis) => [axis, level])) as FidelityTable;
}
