/** A home folder, or a copy of one: it is no store, but has stores of several programs in their usual places. */
import { type Environment, isInside } from "../io/paths.js";
import { type Source, SourceError } from "../io/source.js";
import type { Converter } from "./contract.js";
import { candidateOf, rank } from "./probe.js";

export interface HomeStore {
  converter: Converter;
  /** The store's root. */
  path: string;
  score: number;
}

/** A folder's name alone is not enough: `.claude` and `.codex` lie in projects too, without any session. */
const SURE = 70;

/** The stores below a folder, where each program would keep its own if that were a home folder. */
export async function storesIn(
  home: string,
  converters: readonly Converter[],
  source: Source,
  { platform }: Pick<Environment, "platform">,
): Promise<HomeStore[]> {
  const found: HomeStore[] = [];
  for (const converter of converters) {
    for (const path of converter.locate({ env: {}, home, platform, cwd: home })) {
      if (path === home || !isInside(path, home, platform)) continue;
      const score = await scoreAt(path, converter, converters, source);
      if (score >= SURE) found.push({ converter, path, score });
    }
  }
  return found;
}

/** 0 where another converter is surer of it; also where it is not there or cannot be looked into. */
async function scoreAt(
  path: string,
  converter: Converter,
  converters: readonly Converter[],
  source: Source,
): Promise<number> {
  try {
    const { ranked } = await rank(converters, await candidateOf(path, source));
    const [best] = ranked;
    const own = ranked.find((one) => one.converter === converter);
    return own && own.score === best?.score ? own.score : 0;
  } catch (error) {
    if (error instanceof SourceError) return 0;
    throw error;
  }
}
