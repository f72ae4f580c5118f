/** Where sessions came from and went to, as a graph. */
import { type Relation, relate } from "@asp-convert/core";
import type { SessionLog } from "./session-log.js";
import type { Conversion, SessionRecord } from "./trail/records.js";

export interface LineageSession {
  harness: string;
  id: string;
  title?: string;
}

export interface Lineage {
  sessions: readonly LineageSession[];
  /** Oldest first. Ids in them are native ones; which harness they are of stands in `typeData`. */
  relations: readonly (Relation & { how?: Conversion["how"] })[];
}

interface Edge {
  from: LineageSession;
  to: LineageSession;
  relation: Lineage["relations"][number];
}

/** All that is connected with the sessions whose id begins so; everything for an empty id. */
export async function lineageOf(log: SessionLog, id: string): Promise<Lineage> {
  const edges: Edge[] = [];
  for await (const conversion of log.conversions()) edges.push(...edgesOf(conversion));
  const reached = new Set<string>();
  for (const { from, to } of edges)
    for (const session of [from, to]) if (session.id.startsWith(id)) reached.add(keyOf(session));
  for (let before = -1; before < reached.size; ) {
    before = reached.size;
    for (const { from, to } of edges) {
      if (!reached.has(keyOf(from)) && !reached.has(keyOf(to))) continue;
      reached.add(keyOf(from)).add(keyOf(to));
    }
  }
  const sessions = new Map<string, LineageSession>();
  const relations: Edge["relation"][] = [];
  for (const { from, to, relation } of edges) {
    if (!reached.has(keyOf(from))) continue;
    for (const session of [from, to])
      sessions.set(keyOf(session), { ...sessions.get(keyOf(session)), ...session });
    relations.push(relation);
  }
  return { sessions: [...sessions.values()], relations };
}

function keyOf({ harness, id }: LineageSession): string {
  return `${harness}\0${id}`;
}

function edgesOf({ from, to, at, how }: Conversion): Edge[] {
  const [source, target] = [nodeOf(from), { harness: to.harness, id: to.id }];
  const data = { sourceHarness: from.harness, targetHarness: to.harness };
  const type = from.harness === to.harness ? "fork" : "handoff";
  const edges: Edge[] = [
    { from: source, to: target, relation: { ...relate(type, from.id, to.id, at, data), how } },
  ];
  const inside = (session: SessionRecord): void => {
    for (const child of session.children) {
      const own = { sourceHarness: session.harness, targetHarness: child.harness };
      const relation = relate("subagent", session.id, child.id, at, own);
      edges.push({ from: nodeOf(session), to: nodeOf(child), relation });
      inside(child);
    }
  };
  inside(from);
  for (const child of to.children) {
    const own = { sourceHarness: to.harness, targetHarness: to.harness };
    const relation = relate("subagent", to.id, child.id, at, own);
    // A writer may put a subagent's session into its parent's.
    if (child.id !== to.id) edges.push({ from: target, to: { harness: to.harness, id: child.id }, relation });
  }
  return edges;
}

function nodeOf({ harness, id, title }: SessionRecord): LineageSession {
  return { harness, id, ...(title !== undefined && { title }) };
}
