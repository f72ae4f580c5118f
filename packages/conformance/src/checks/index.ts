/** All checks by name. */
import type { Check } from "../kit.js";
import { columns } from "./columns.js";
import { determinism } from "./determinism.js";
import { fidelity } from "./fidelity.js";
import { leaves } from "./leaves.js";
import { list } from "./list.js";
import { memory } from "./memory.js";
import { probe } from "./probe.js";
import { read } from "./read.js";
import { reference } from "./reference.js";
import { replay } from "./replay.js";
import { stable } from "./stable.js";
import { tolerance } from "./tolerance.js";
import { unreadable } from "./unreadable.js";
import { withheld } from "./withheld.js";
import { write } from "./write.js";

export const checks = {
  probe,
  list,
  unreadable,
  withheld,
  read,
  determinism,
  write,
  reference,
  stable,
  replay,
  tolerance,
  columns,
  fidelity,
  leaves,
  memory,
} satisfies Record<string, Check>;

export type CheckName = keyof typeof checks;
