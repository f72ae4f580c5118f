/** Whether what a plugin gives is a converter: it comes from strangers, and TypeScript is not there at run time. */
import { levels, sessionAxes } from "../fidelity/axes.js";
import type { Converter } from "./contract.js";
import type { StateKindName } from "./kinds.js";
import { CONTRACT } from "./version.js";

const KINDS = [
  "instructions",
  "skills",
  "tools",
  "memory",
  "settings",
] as const satisfies readonly StateKindName[];

type Thing = Readonly<Record<string, unknown>>;

/** What is wrong with it, a sentence each; empty: it is a converter of this contract. */
export function converterProblems(value: unknown): string[] {
  const converter = thing(value);
  if (!converter) return ["is no converter: give the result of defineConverter({ … })"];
  const { contract } = converter;
  if (contract === undefined) return ["was not made with defineConverter({ … })"];
  if (contract !== CONTRACT) return [mismatch(contract)];
  const sessions = thing(converter.sessions);
  const problems = [
    ...missing(converter, "", "function", ["probe", "locate", "open"]),
    ...missing(converter, "", "string", ["id", "name"]),
    ...missing(sessions, "sessions.", "function", ["list", "read", "write", "replay"]),
    ...missing(sessions, "sessions.", "string", ["carrier"]),
    ...missing(thing(sessions?.resume), "sessions.resume.", "function", ["command"]),
    ...missing(thing(sessions?.resume), "sessions.resume.", "string", ["variable"]),
  ];
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(String(converter.id)))
    problems.push(`id ${JSON.stringify(converter.id)}: small letters, digits and single hyphens`);
  if (!Array.isArray(converter.verified)) problems.push("verified is no list of versions");
  if (!Array.isArray(thing(sessions?.resume)?.needs)) problems.push("sessions.resume.needs is no list");
  for (const why of ["experimental", "readOnly"])
    if (converter[why] !== undefined) problems.push(...missing(converter, "", "string", [why]));
  const { program } = thing(sessions?.resume) ?? {};
  if (program !== undefined)
    problems.push(
      ...missing(thing(program), "sessions.resume.program.", "function", ["start"]),
      ...missing(thing(program), "sessions.resume.program.", "string", ["dialect"]),
    );
  for (const way of ["read", "write"]) {
    const table = thing(thing(sessions?.fidelity)?.[way]);
    const unsaid = Object.keys(sessionAxes).filter(
      (axis) => !levels.some((level) => level === table?.[axis]),
    );
    if (unsaid.length > 0) problems.push(`sessions.fidelity.${way} gives no level for ${unsaid.join(", ")}`);
  }
  for (const name of KINDS) {
    const kind = thing(converter[name]);
    if (typeof kind?.absent === "string") continue;
    if (kind) problems.push(...missing(kind, `${name}.`, "function", ["read", "write"]));
    else problems.push(`${name} is missing: if the program has no such thing, { absent: "why" }`);
  }
  return problems;
}

/** A converter as the check above found it; `problems` otherwise. */
export function isConverter(value: unknown): value is Converter {
  return converterProblems(value).length === 0;
}

function mismatch(contract: unknown): string {
  const older = typeof contract === "number" && contract < CONTRACT;
  const next = older
    ? "update the plugin, or use the asp-convert that it was written for"
    : "update asp-convert (npm install asp-convert@latest)";
  return `was written for contract ${String(contract)} of @asp-convert/core; this asp-convert speaks ${CONTRACT}: ${next}`;
}

function missing(of: Thing | undefined, at: string, type: string, names: readonly string[]): string[] {
  return names.flatMap((name) => (typeof of?.[name] === type ? [] : [`${at}${name} is no ${type}`]));
}

function thing(value: unknown): Thing | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Thing) : undefined;
}
