/** What becomes of skills and definitions, alike for every harness. */
import type { Item, KindTarget } from "../converter/kinds.js";
import type { Restriction, Skill } from "../state/skills.js";
import { belonging, change, leave, lose } from "./account.js";
import { overLimits, type SkillLimits } from "./skills.js";

const KIND = { kind: "skills", axis: "skills" } as const;
const LIMITS = { kind: "skills", axis: "skill-restrictions", reason: "restriction-lost" } as const;

/** What limits a thing may not be lost on the way unasked: then the thing stays behind. */
export function heldBack(
  of: Parameters<typeof leave>[1],
  lost: readonly Pick<Restriction, "key">[],
  target: KindTarget,
): Item | undefined {
  if (lost.length === 0 || target.dropRestrictions) return undefined;
  return leave(target, of, { ...LIMITS, note: lost.map(({ key }) => key).join(", ") });
}

/** Of a skill that was written: the restrictions that it lost by the person's leave. */
export function withoutRestrictions(
  { name }: Skill,
  lost: readonly Pick<Restriction, "key">[],
  target: KindTarget,
): void {
  for (const { key } of lost) lose(target.losses, { ...LIMITS, level: "dropped", item: name, note: key });
}

/** What the standard does not allow is carried as it is, and told. */
export function toldOver(item: Item, skill: Skill, limits: SkillLimits, target: KindTarget): Item {
  const over = overLimits(skill, limits);
  if (over.length === 0) return item;
  const note = `${over.join("; ")} (the Agent Skills standard); carried as it is`;
  return change(target, belonging(skill, skill.name), { ...KIND, reason: "target-limit", note });
}

/** A program that runs nothing by itself in a skill shows the commands to its model instead. */
export function runsNotHere(skill: Skill, program: string, target: KindTarget): Item {
  return change(target, belonging(skill, skill.name), {
    ...KIND,
    reason: "no-counterpart",
    note: `${program} does not run by itself: ${(skill.runs ?? []).join("; ")}`,
  });
}
