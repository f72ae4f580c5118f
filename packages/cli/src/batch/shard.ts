/** Which part of a batch this process does: by what a session is called, whatever the order or number of the others. */
import { hash } from "node:crypto";
import { InvalidArgumentError } from "commander";

export interface Shard {
  /** From 1. */
  index: number;
  of: number;
}

/** `2/4`. An index of 0 is a mistake in counting that would silently leave a part out. */
export function shardFrom(text: string): Shard {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text.trim());
  const [index, of] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || index < 1 || index > of)
    throw new InvalidArgumentError(
      `"${text}" is not I/N with I from 1 to N. (Kubernetes and Slurm count from 0: add one.)`,
    );
  return { index, of };
}

/** A session is always in the same shard of N; so two copies of one session are in the same one. */
export function isIn({ index, of }: Shard, session: { harness: string; id: string }): boolean {
  const digest = hash("sha256", `${session.harness}\n${session.id}`);
  return Number.parseInt(digest.slice(0, 12), 16) % of === index - 1;
}
