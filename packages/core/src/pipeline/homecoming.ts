/** A session that comes back to the harness it once left: its own bytes again, and after them what it does not hold. */
import type { SessionInput, SessionPlan, Target } from "../converter/contract.js";
import { keepWhole } from "../fidelity/whole.js";
import type { Source } from "../io/source.js";
import type { SessionEvent } from "../session/event.js";
import type { SessionReport } from "./report.js";
import type { ConvertRequest } from "./request.js";
import type { Departure, Homecoming } from "./trail.js";

export interface Home {
  plan: (target: Target) => Promise<SessionPlan>;
  /** Subagents' sessions of the source that lie in the target's own bytes. */
  held: ReadonlySet<string>;
  returned: NonNullable<SessionReport["returned"]>;
}

/** What is known of the way a session came. A way that cannot be gone back is declared. */
export async function homeward(
  request: ConvertRequest,
  departure: Departure,
  input: SessionInput,
): Promise<Home | undefined> {
  const { trail, to, share, via, file } = request;
  if (!trail || !to.sessions.extend || share || file !== undefined || via === "events") return undefined;
  const found = await trail.homeOf(departure);
  if (!found) return undefined;
  if ("lost" in found) {
    const { ledger } = input;
    ledger.note({ axis: "lineage", level: "partial", reason: found.lost }, undefined, found.detail);
    return undefined;
  }
  const { base } = found;
  return {
    plan: async (target) => {
      const children = input.children.filter(({ ref }) => !found.children.has(ref.id));
      const tail: SessionInput = { ...input, children, events: () => tailOf(found, input) };
      const plan = await to.sessions.extend?.(base, tail, target);
      if (!plan) throw new Error(`${to.id} cannot extend a session`);
      return { ...plan, children: aligned(plan, input, found) };
    },
    held: new Set(found.children.keys()),
    returned: { id: base.ref.id, bytes: await sizeOf(base, departure.source) },
  };
}

/** What the target does not hold. What it does hold is whole again: there it lies as it was. */
async function* tailOf(found: Homecoming, { events, ledger }: SessionInput): AsyncGenerator<SessionEvent> {
  for await (const event of found.between()) yield { ...event, origin: [] } as SessionEvent;
  const isShared = found.sharing();
  for await (const event of events()) {
    if (isShared(event)) keepWhole(event, ledger);
    else yield event;
  }
}

/** The plans of subagents in the order of the source's, and after them those that only the target knows. */
function aligned(plan: SessionPlan, input: SessionInput, { children, base }: Homecoming): SessionPlan[] {
  const own = plan.children.slice(0, base.ref.children.length);
  const added = plan.children.slice(base.ref.children.length);
  const used = new Set<SessionPlan>();
  const inOrder = input.children.map(({ ref }): SessionPlan => {
    const id = children.get(ref.id);
    const index = base.ref.children.findIndex((child) => child.id === id);
    const found = id === undefined ? added.shift() : own[index];
    if (!found) return { id: id ?? plan.id, actions: [], children: [] };
    used.add(found);
    return found;
  });
  return [...inOrder, ...own.filter((each) => !used.has(each))];
}

async function sizeOf({ ref, source }: SessionInput, otherwise: Source): Promise<number> {
  const [transcript] = ref.files;
  return transcript ? ((await (source ?? otherwise).stat(transcript.path))?.size ?? 0) : 0;
}
