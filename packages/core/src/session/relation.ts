/** Makes lineage relations; without the schemas, so that a conversion does not load them. */
import { digest } from "./identity.js";
import type { Relation, RelationType } from "./lineage.js";

/** @param createdAt ISO 8601. */
export function relate(
  type: RelationType,
  sourceSessionId: string,
  targetSessionId: string,
  createdAt: string,
  typeData?: Relation["typeData"],
): Relation {
  return {
    id: digest(type, sourceSessionId, targetSessionId),
    sourceSessionId,
    targetSessionId,
    type,
    ...(typeData && { typeData }),
    createdAt,
  };
}

/**
 * The relation that a conversion makes. Into another harness: `handoff`. Into the same one under a new id:
 * `fork`. The same session under its own id is not related to itself: undefined.
 */
export function conversionRelation(
  source: { harness: string; id: string },
  target: { harness: string; id: string },
  createdAt: string,
): Relation | undefined {
  const data = { sourceHarness: source.harness, targetHarness: target.harness };
  if (source.harness !== target.harness) return relate("handoff", source.id, target.id, createdAt, data);
  return source.id === target.id ? undefined : relate("fork", source.id, target.id, createdAt, data);
}
