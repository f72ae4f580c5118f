/** A kind whose code is loaded when it is used: the command line starts without the parsers behind it. */
import type { KindContext, KindTarget, StateKind } from "./kinds.js";
import type { Store } from "./store.js";

export function lazyKind<T>(
  fidelity: StateKind<T>["fidelity"],
  load: () => Promise<StateKind<T>>,
): StateKind<T> {
  return {
    fidelity,
    read: async (store: Store, context: KindContext) => (await load()).read(store, context),
    write: async (state: T, target: KindTarget) => (await load()).write(state, target),
  };
}
