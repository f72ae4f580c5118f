/** Code that is loaded when it is used: the command line starts without it and without what stands behind it. */
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

/** A function that is loaded when it is first called. */
export function lazyCall<F extends (...given: never[]) => Promise<unknown>>(load: () => Promise<F>): F {
  return (async (...given: never[]) => (await load())(...given)) as F;
}

/** The same of one that gives one thing after the other. */
export function lazyEach<A extends unknown[], T>(
  load: () => Promise<(...given: A) => AsyncIterable<T>>,
): (...given: A) => AsyncIterable<T> {
  return (...given) => ({
    [Symbol.asyncIterator](): AsyncIterator<T> {
      let begun: Promise<AsyncIterator<T>> | undefined;
      let inner: AsyncIterator<T> | undefined;
      const begin = async (): Promise<AsyncIterator<T>> => {
        inner = (await load())(...given)[Symbol.asyncIterator]();
        return inner;
      };
      return {
        next: () => {
          // Nothing stands between once it is there: a session may have a million events.
          if (inner) return inner.next();
          begun ??= begin();
          return begun.then((loaded) => loaded.next());
        },
        return: async (value) => {
          // What could not be loaded was told by `next`; there is nothing to close.
          const loaded = await begun?.catch(() => undefined);
          return loaded?.return ? loaded.return(value) : { done: true, value };
        },
      };
    },
  });
}
