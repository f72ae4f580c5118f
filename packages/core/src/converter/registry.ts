/** The converters at hand, and which of them a path belongs to. */
import { type Environment, pathOf, samePath } from "../io/paths.js";
import { type Source, SourceError } from "../io/source.js";
import type { Candidate, Converter, Store } from "./contract.js";
import { type HomeStore, storesIn } from "./home.js";
import { candidateOf, type Ranked, rank } from "./probe.js";
import { resemblance } from "./resemble.js";
import { nearest } from "./suggest.js";

export interface DetectOptions {
  source: Source;
  environment: Environment;
  /** A converter's id: no guessing. */
  from?: string;
}

export interface Detected {
  converter: Converter;
  store: Store;
  /** 1 to 100 as the converter's `probe` says; 100 where `from` named it. */
  score: number;
}

export interface Registry {
  readonly all: readonly Converter[];
  /** @throws UnknownHarnessError */
  get(id: string): Converter;
  /** @throws SourceError (missing, unreadable), UnknownStoreError, TieError, SeveralStoresError, UnknownHarnessError */
  detect(path: string, options: DetectOptions): Promise<Detected>;
  /**
   * Every store of a known harness that exists on this machine.
   * @param failed - told of a converter that could not look; the others go on
   */
  findStores(
    environment: Environment,
    source: Source,
    failed?: (converter: Converter, error: unknown) => void,
  ): Promise<{ converter: Converter; store: Store }[]>;
}

export class UnknownHarnessError extends Error {
  override name = "UnknownHarnessError";
  readonly id: string;
  readonly suggestions: readonly string[];
  constructor(id: string, known: readonly string[]) {
    const suggestions = nearest(id, known);
    const hint = suggestions.length > 0 ? `did you mean ${suggestions.join(" or ")}? ` : "";
    super(`no converter is called "${id}": ${hint}Known: ${known.join(", ")}`);
    this.id = id;
    this.suggestions = suggestions;
  }
}

/** No converter recognises the path. */
export class UnknownStoreError extends Error {
  override name = "UnknownStoreError";
  readonly path: string;
  /**
   * @param unreadable the first thing in it that could not be looked at: most likely the cause
   * @param like what it is instead, in sentences
   */
  constructor(
    path: string,
    looked: readonly string[],
    failures: readonly string[],
    unreadable?: SourceError,
    like = "",
  ) {
    const failed = failures.length > 0 ? ` (${failures.join("; ")})` : "";
    const cause =
      unreadable === undefined
        ? `${path}: nothing here is known.${like === "" ? "" : ` ${like}`}`
        : `${unreadable.message}, so it cannot be told what is in ${path}.`;
    super(
      `${cause} Looked for a store, a session or a project of ${looked.join(", ")}${failed}. ` +
        `If it is one of them, say which: --from ${looked[0] ?? "ID"}`,
    );
    this.path = path;
  }
}

/** Two or more converters are equally sure. */
export class TieError extends Error {
  override name = "TieError";
  readonly path: string;
  /** Their ids. */
  readonly candidates: readonly string[];
  constructor(path: string, candidates: readonly string[], score: number) {
    super(
      `${path}: could be ${candidates.join(" or ")} (equally likely, ${score} of 100). ` +
        `Say which: ${candidates.map((id) => `--from ${id}`).join(" or ")}`,
    );
    this.path = path;
    this.candidates = candidates;
  }
}

/** The path is a home folder with stores of several programs in it. */
export class SeveralStoresError extends Error {
  override name = "SeveralStoresError";
  readonly path: string;
  readonly stores: readonly { id: string; path: string }[];
  constructor(path: string, stores: readonly HomeStore[]) {
    const told = stores.map((store) => `${store.path} (${store.converter.name})`).join(", ");
    super(`${path}: no store itself; it has these in it: ${told}. Name one of them`);
    this.path = path;
    this.stores = stores.map((store) => ({ id: store.converter.id, path: store.path }));
  }
}

/** From here on a path is a store itself, whatever else lies below it. */
const ITSELF = 90;

export function createRegistry(converters: readonly Converter[]): Registry {
  const byId = new Map<string, Converter>();
  for (const converter of converters) {
    if (byId.has(converter.id)) throw new Error(`two converters are called "${converter.id}"`);
    byId.set(converter.id, converter);
  }
  const ids = [...byId.keys()];

  function get(id: string): Converter {
    const found = byId.get(id);
    if (!found) throw new UnknownHarnessError(id, ids);
    return found;
  }

  async function detect(path: string, options: DetectOptions): Promise<Detected> {
    const { source, environment, from } = options;
    const database = await fileAbove(path, options);
    if (database !== undefined) {
      const detected = await detect(database, options);
      return { ...detected, store: { ...detected.store, session: path } };
    }
    const unreadable: SourceError[] = [];
    const candidate = await candidateOf(path, source, (error) => unreadable.push(error));
    if (from !== undefined) {
      const converter = get(from);
      const home =
        candidate.kind === "directory" ? await storesIn(path, [converter], source, environment) : [];
      const at = home.length > 0 && (await converter.probe(candidate)) < ITSELF ? home[0]?.path : undefined;
      return { converter, store: await converter.open(at ?? path, source, environment), score: 100 };
    }
    const { ranked, failures } = await rank(converters, candidate);
    if (candidate.kind === "directory" && (ranked[0]?.score ?? 0) < ITSELF) {
      const [store, ...more] = await storesIn(path, converters, source, environment);
      if (store && more.length > 0) throw new SeveralStoresError(path, [store, ...more]);
      if (store)
        return {
          converter: store.converter,
          score: store.score,
          store: await store.converter.open(store.path, source, environment),
        };
    }
    const [first, ...others] = ranked.length > 0 ? ranked : placed(candidate, environment);
    if (!first) {
      const cause = unreadable.find(({ why }) => why === "unreadable");
      const like = cause ? "" : await resemblance(candidate, converters, source, environment);
      throw new UnknownStoreError(path, ids, failures, cause, like);
    }
    const equal = others.filter(({ score }) => score === first.score);
    if (equal.length > 0) {
      throw new TieError(
        path,
        [first, ...equal].map(({ converter }) => converter.id),
        first.score,
      );
    }
    return { ...first, store: await first.converter.open(path, source, environment) };
  }

  /** A store in which nothing tells whose it is, not even a session: where a program has its own, it is that one's. */
  function placed({ path, kind }: Candidate, environment: Environment): Ranked[] {
    if (kind !== "directory") return [];
    return converters.flatMap((converter) =>
      rootsOf(converter, environment).some((root) => samePath(root, path, environment.platform))
        ? { converter, score: 50 }
        : [],
    );
  }

  async function findStores(
    environment: Environment,
    source: Source,
    failed: (converter: Converter, error: unknown) => void = () => {},
  ) {
    const found: { converter: Converter; store: Store }[] = [];
    for (const converter of converters) {
      try {
        for (const store of await storesOf(converter, environment, source)) found.push({ converter, store });
      } catch (error) {
        failed(converter, error);
      }
    }
    return found;
  }

  return { all: converters, get, detect, findStores };
}

/** A list names a session of a database by a path below the database's own: which file that is. */
async function fileAbove(path: string, { source, environment }: DetectOptions): Promise<string | undefined> {
  if (await source.stat(path).catch(() => "unreadable")) return undefined;
  const { dirname } = pathOf(environment);
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const info = await source.stat(at).catch(() => undefined);
    if (info) return info.kind === "file" ? at : undefined;
  }
  return undefined;
}

/** Where it says that its stores are; nowhere, if it fails to say. */
export function rootsOf(converter: Converter, environment: Environment): readonly string[] {
  try {
    return converter.locate(environment);
  } catch {
    return [];
  }
}

async function storesOf(converter: Converter, environment: Environment, source: Source): Promise<Store[]> {
  const found: Store[] = [];
  const seen = new Set<string>();
  for (const root of converter.locate(environment)) {
    const real = await realFolder(root, source);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    const store = await opened(converter, root, source, environment);
    if (store) found.push(store);
  }
  return found;
}

/** undefined for a store that cannot be opened: naming it gives the reason, finding others goes on. */
async function opened(
  converter: Converter,
  root: string,
  source: Source,
  environment: Environment,
): Promise<Store | undefined> {
  try {
    return await converter.open(root, source, environment);
  } catch (error) {
    if (error instanceof SourceError) return undefined;
    throw error;
  }
}

/** undefined for what is no folder or may not be looked at: finding stores is no reason to fail. */
async function realFolder(path: string, source: Source): Promise<string | undefined> {
  try {
    const info = await source.stat(path);
    return info?.kind === "directory" ? ((await source.realPath(path)) ?? path) : undefined;
  } catch (error) {
    if (error instanceof SourceError) return undefined;
    throw error;
  }
}
