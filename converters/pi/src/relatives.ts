/** Converters for the programs that grew from Pi: they read. */
import { type Converter, defineReader, lazyEach } from "@asp-convert/core";
import { family, type Member } from "./family.js";
import * as fidelity from "./fidelity.js";
import { openFor, probeFor } from "./probe.js";

function relative(member: Member): Converter {
  return defineReader({
    id: member.id,
    name: member.name,
    verified: [],
    readOnly: "nobody has seen yet what it takes",
    experimental: "its form is known from what it publishes; it was never run",
    probe: probeFor(member),
    locate: member.roots,
    open: openFor(member),
    sessions: {
      list: lazyEach(async () => (await import("./sessions/list.js")).listSessions),
      read: lazyEach(async () => (await import("./sessions/read.js")).readSession),
      fidelity: { ...fidelity.read, images: "partial" },
    },
  });
}

export const ohMyPi: Converter = relative(family["oh-my-pi"]);
export const openClaw: Converter = relative(family.openclaw);
