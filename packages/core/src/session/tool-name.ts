/** Names of tools that every vendor takes: a request with any other is refused as a whole. */
import type { LossLedger } from "../fidelity/ledger.js";
import { legalId } from "./identity.js";

const ALLOWED = /^[A-Za-z0-9_-]+$/;
const LONGEST = 128;

/** A name that is legal stays; of any other the loss is noted. The same name always gives the same one. */
export function legalToolName(name: string, ledger: LossLedger, record: number | undefined): string {
  const legal = legalId(name, ALLOWED, LONGEST);
  if (legal !== name) ledger.note({ axis: "ids", level: "partial", reason: "id-not-legal" }, record);
  return legal;
}
