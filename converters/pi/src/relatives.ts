/** Converters for the programs that grew from Pi: they read. */
import {
  type Converter,
  defineConverter,
  type FidelityTable,
  lazyEach,
  RefusedError,
} from "@asp-convert/core";
import { family, type Member, STATE_VARIABLE } from "./family.js";
import * as fidelity from "./fidelity.js";
import { openFor, probeFor } from "./probe.js";

function relative(member: Member, variable: string, command: string): Converter {
  const refusal = `sessions are read from ${member.name} and not written to it: nobody has seen yet what it takes`;
  const refuse = () => Promise.reject(new RefusedError(refusal));
  const nothing = Object.fromEntries(Object.keys(fidelity.write).map((axis) => [axis, "dropped"]));
  const absent = { absent: "only its sessions are read" };
  return defineConverter({
    id: member.id,
    name: member.name,
    verified: [],
    probe: probeFor(member),
    locate: member.roots,
    open: openFor(member),
    sessions: {
      list: lazyEach(async () => (await import("./sessions/list.js")).listSessions),
      read: lazyEach(async () => (await import("./sessions/read.js")).readSession),
      write: refuse,
      replay: refuse,
      fidelity: { read: { ...fidelity.read, images: "partial" }, write: nothing as FidelityTable },
      resume: {
        needs: [{ what: "a program that was seen to take it", missing: () => refusal }],
        command: (id) => [command, "--session", id],
        variable,
      },
      carrier: "none: nothing is written",
    },
    instructions: absent,
    skills: absent,
    tools: absent,
    memory: absent,
    settings: absent,
  });
}

export const ohMyPi: Converter = relative(family["oh-my-pi"], "PI_CODING_AGENT_DIR", "omp");
export const openClaw: Converter = relative(family.openclaw, STATE_VARIABLE, "openclaw");
