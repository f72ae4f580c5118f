import type { Environment } from "../io/paths.js";
import type { Receipt } from "./receipt.js";
import type { Stager } from "./stage.js";

export interface TransactionOptions {
  environment: Environment;
  /** Nothing is written outside these. */
  roots: readonly string[];
  /** For the receipt, for people. */
  what: string;
  signal?: AbortSignal | undefined;
}

export interface Transaction extends Omit<Stager, "commit"> {
  /** Moves everything into place. A receipt without entries: there was nothing to do. */
  commit(): Promise<Receipt>;
}

export async function beginTransaction(_options: TransactionOptions): Promise<Transaction> {
  throw new Error("being built");
}
