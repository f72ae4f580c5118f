/** Where sessions came from and went to, as a graph. */
import { type Relation, relate } from "@asp-convert/core";
import type { SessionLog } from "./session-log.js";
import { type Conversion, identityOf, type SessionRecord } from "./trail/records.js";

export interface LineageSession {
  harness: string;
  id: string;
  /** @see SessionRef.store */
  store?: string;
  title?: string;
}

export interface Lineage {
  sessions: readonly LineageSession[];
  /** Oldest first. Ids in them are native ones; which harness they are of stands in `typeData`. */
  relations: readonly (Relation & { how?: Conversion["how"]; sourceStore?: string })[];
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
    for (const session of [from, to]) if (session.id.startsWith(id)) reached.add(identityOf(session));
  for (let before = -1; before < reached.size; ) {
    before = reached.size;
    for (const { from, to } of edges) {
      if (!reached.has(identityOf(from)) && !reached.has(identityOf(to))) continue;
      reached.add(identityOf(from)).add(identityOf(to));
    }
  }
  const sessions = new Map<string, LineageSession>();
  const relations: Edge["relation"][] = [];
  for (const { from, to, relation } of edges) {
    if (!reached.has(identityOf(from))) continue;
    for (const session of [from, to])
      sessions.set(identityOf(session), { ...sessions.get(identityOf(session)), ...session });
    relations.push(relation);
  }
  return { sessions: [...sessions.values()], relations };
}

function edgesOf({ from, to, at, how }: Conversion): Edge[] {
  const [source, target] = [nodeOf(from), { harness: to.harness, id: to.id }];
  const data = { sourceHarness: from.harness, targetHarness: to.harness };
  const type = from.harness === to.harness ? "fork" : "handoff";
  const edges: Edge[] = [
    {
      from: source,
      to: target,
      relation: { ...relate(type, from.id, to.id, at, data), how, ...storeOf(from) },
    },
  ];
  const inside = (session: SessionRecord): void => {
    for (const child of session.children) {
      const own = { sourceHarness: session.harness, targetHarness: child.harness };
      const relation = { ...relate("subagent", session.id, child.id, at, own), ...storeOf(session) };
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

function storeOf({ store }: SessionRecord): { sourceStore?: string } {
  return store === undefined ? {} : { sourceStore: store };
}

function nodeOf({ harness, id, store, title }: SessionRecord): LineageSession {
  return { harness, id, ...(store !== undefined && { store }), ...(title !== undefined && { title }) };
}
