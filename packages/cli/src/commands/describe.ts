import type {
  Absent,
  Converter,
  Detected,
  KindContext,
  SessionRef,
  StateForms,
  StateKind,
  StateKindName,
  Store,
  Unreadable,
} from "@asp-convert/core";
import type { Command } from "commander";
import { exit } from "../errors.js";
import type { CommonOptions } from "../options.js";
import { withCommon } from "../options.js";
import type { Terminal } from "../terminal.js";
import type { Sessions } from "../toolkit.js";

type DescribeOptions = CommonOptions & { from?: string };

const NEWEST = 5;

export function define(command: Command, terminal: Terminal): void {
  command
    .argument(
      "<path>",
      "a store, a home folder with stores in it, a project folder, a session file or a bundle",
    )
    .option("--from <id>", "the harness it is of, where that cannot be told from the files");
  withCommon(command)
    .addHelpText("after", "\n  asp-convert describe ~/.claude\n  asp-convert ~/.codex --json | jq .kinds")
    .action((path: string, options: DescribeOptions) => runDescribe(path, options, terminal));
}

/** One kind as it is in a store: how many, or why none are read. */
interface KindFacts {
  count?: number;
  /** How many of each scope: user, project, local. */
  scopes?: Record<string, number>;
  /** Things in it that no conversion takes along. */
  notTaken?: number;
  absent?: string;
  /** It may be there: it is the converter that does not read it. */
  unread?: true;
  unreadable?: Unreadable[];
  problem?: string;
}

interface Described extends Detected, Sessions {
  kinds: Readonly<Record<string, KindFacts>>;
  /** Of the program, in its sessions. */
  versions: readonly string[];
}

export async function runDescribe(path: string, options: DescribeOptions, terminal: Terminal): Promise<void> {
  const toolkit = await import("../toolkit.js");
  const found: Described[] = [];
  for (const detected of await toolkit.openAll(path, options.from, terminal)) {
    const { converter, store } = detected;
    const sessions = await toolkit.sessionsOf(converter, store, terminal);
    const { refs } = sessions;
    if (refs.length === 0 && options.from !== undefined) {
      const { refuseOther } = await import("../run.js");
      await refuseOther(path, converter, terminal);
    }
    const versions = [...new Set(refs.flatMap(({ harnessVersion }) => harnessVersion ?? []))];
    const kinds = await kindsOf(converter, store, terminal);
    found.push({ ...detected, ...sessions, kinds, versions: versions.sort(newestVersion) });
  }
  if (found.every(({ refs, unreadable }) => refs.length === 0 && unreadable.length > 0))
    process.exitCode = exit.failed;
  if (options.json) {
    const [{ toJson }, { json }] = await Promise.all([import("../ui/session.js"), import("../ui/json.js")]);
    const stores = found.map(({ converter, store, score, refs, unreadable, kinds, versions }) => {
      const newest = refs.slice(0, NEWEST).map(toJson);
      const sessions = { count: refs.length, subagents: countChildren(refs), newest };
      const { id: harness, name, experimental, readOnly } = converter;
      const problems = unreadable.length > 0 && { unreadable };
      const unproved = experimental !== undefined && { experimental };
      const unwritten = readOnly !== undefined && { readOnly };
      return {
        harness,
        name,
        ...unproved,
        ...unwritten,
        score,
        store,
        versions,
        kinds: { ...kinds, sessions },
        ...problems,
      };
    });
    const [only] = stores;
    return terminal.print(json({ asp: 1, ...(stores.length > 1 ? { stores } : only) }, 2));
  }
  const texts: string[] = [];
  for (const one of found) texts.push((await linesOf(path, one, terminal)).join("\n"));
  await terminal.print(texts.join("\n\n"));
  if (found.every(({ refs, unreadable }) => refs.length === 0 && unreadable.length > 0))
    process.exitCode = exit.failed;
}

async function linesOf(
  path: string,
  { converter, store, refs, unreadable, kinds, versions }: Described,
  terminal: Terminal,
): Promise<string[]> {
  const [
    { shortPath },
    format,
    { oneLine },
    { padEnd },
    { sessionTable },
    { pastePath, programName, standpoint },
    { unreadableLines },
    { pathOfStore },
  ] = await Promise.all([
    import("../ui/paths.js"),
    import("../ui/format.js"),
    import("../ui/text.js"),
    import("../ui/width.js"),
    import("../ui/session.js"),
    import("../run.js"),
    import("../ui/unreadable.js"),
    import("../toolkit.js"),
  ]);
  const { out } = terminal;
  const at = path === "-" ? path : pathOfStore(store);
  const seen = versions.length > 0 ? `   versions ${versions.map(oneLine).join(", ")}` : "";
  const lines = [
    `${out.bold(converter.name)}   ${oneLine(shortPath(at, standpoint(terminal)))}${out.dim(seen)}`,
  ];
  const row = (name: string, text: string) => lines.push(`  ${padEnd(name, 12)}  ${text}`);
  if (converter.experimental !== undefined) row("experimental", out.yellow(oneLine(converter.experimental)));
  if (converter.readOnly !== undefined) row("read only", oneLine(converter.readOnly));
  const archived = refs.filter((ref) => ref.archived).length;
  const children = countChildren(refs);
  const extra = [
    children > 0 ? `${format.plural(children, "subagent")} inside` : "",
    archived > 0 ? `${format.count(archived)} archived` : "",
    format.bytes(refs.reduce((sum, ref) => sum + ref.size, 0)),
  ].filter((part) => part !== "");
  row("sessions", `${format.count(refs.length)} (${extra.join(", ")})`);
  const none = { absent: new Map<string, string[]>(), "not read": new Map<string, string[]>() };
  for (const [kind, { count, scopes = {}, notTaken = 0, absent, unread, problem }] of Object.entries(kinds)) {
    const where = Object.entries(scopes).map(([scope, n]) => `${scope} ${format.count(n)}`);
    if (notTaken > 0) where.push(`${format.count(notTaken)} more stay behind`);
    if (count !== undefined && count + notTaken > 0)
      row(kind, `${format.count(count)}${where.length > 0 ? out.dim(` (${where.join(", ")})`) : ""}`);
    else if (problem !== undefined) row(kind, out.yellow(`not read: ${oneLine(problem)}`));
    else if (absent !== undefined) {
      const same = none[unread ? "not read" : "absent"];
      same.set(absent, [...(same.get(absent) ?? []), kind]);
    }
  }
  const closed = new Map(
    [...unreadable, ...Object.values(kinds).flatMap((facts) => facts.unreadable ?? [])].map((each) => [
      each.path,
      each,
    ]),
  );
  unreadableLines([...closed.values()], standpoint(terminal)).forEach((line, index) => {
    row(index === 0 ? "unreadable" : "", out.yellow(line));
  });
  for (const [what, same] of Object.entries(none))
    for (const [why, kinds] of same) row(what, out.dim(`${kinds.join(", ")}: ${oneLine(why)}`));
  if (refs.length > 0) {
    const newest = refs.slice(0, NEWEST);
    const [head = "", ...rows] = sessionTable(newest, standpoint(terminal), terminal.columns);
    lines.push("", out.dim(head), ...rows);
    if (refs.length > NEWEST)
      lines.push(out.dim(`… ${format.count(refs.length - NEWEST)} more: ${programName(terminal)} list`));
    const target = converter.id === "codex" ? "claude" : "codex";
    lines.push(
      "",
      `${out.dim("convert")}  ${programName(terminal)} ${pastePath(at, terminal)} --to ${target}`,
    );
  }
  return lines;
}

async function kindsOf(
  converter: Converter,
  store: Store,
  terminal: Terminal,
): Promise<Record<string, KindFacts>> {
  const [{ source }, { readKind }] = await Promise.all([
    import("../toolkit.js"),
    import("@asp-convert/core"),
  ]);
  const context: KindContext = {
    source,
    environment: terminal.environment,
    losses: [],
    items: [],
    user: store.project === undefined,
    projects: store.project === undefined ? [] : [store.project],
    followLinks: false,
  };
  const facts: Record<string, KindFacts> = {};
  const read = async <K extends StateKindName>(
    name: K,
    kind: StateKind<StateForms[K]> | Absent,
    scopesOf: (state: StateForms[K]) => string[],
  ) => {
    if ("absent" in kind) {
      facts[name] = kind;
      return;
    }
    const before = context.items.length;
    let state: StateForms[K] | undefined;
    try {
      ({ state } = await readKind(name, kind, store, context));
    } catch (error) {
      // One kind that fails must not hide the rest of the store.
      facts[name] = { problem: error instanceof Error ? error.message : String(error) };
      return;
    }
    const scopes: Record<string, number> = {};
    const found = state === undefined ? [] : scopesOf(state);
    for (const scope of found) scopes[scope] = (scopes[scope] ?? 0) + 1;
    const left = context.items.slice(before);
    const closed = left.filter(({ reason }) => reason === "unreadable");
    const notTaken = left.length - closed.length;
    facts[name] = {
      count: found.length,
      scopes,
      ...(notTaken > 0 && { notTaken }),
      ...(closed.length > 0 && {
        unreadable: closed.map(({ item, note = "" }) => ({ path: item, reason: note })),
      }),
    };
  };
  const scope = (of: { scope: string }): string => of.scope;
  await read("instructions", converter.instructions, ({ files }) => files.map(scope));
  await read("skills", converter.skills, ({ skills, definitions }) => [...skills, ...definitions].map(scope));
  await read("tools", converter.tools, ({ servers, hooks }) => [
    ...servers.map(({ _meta }) => _meta.asp.scope),
    ...hooks.map(scope),
  ]);
  await read("memory", converter.memory, ({ notes }) =>
    notes.map(({ from }) => (from.project === undefined ? "user" : "project")),
  );
  await read("settings", converter.settings, ({ options, permissions = [] }) =>
    [...options, ...permissions].map(scope),
  );
  return facts;
}

function countChildren(refs: readonly SessionRef[]): number {
  return refs.reduce((sum, { children }) => sum + children.length + countChildren(children), 0);
}

function newestVersion(a: string, b: string): number {
  return b.localeCompare(a, "en", { numeric: true });
}
