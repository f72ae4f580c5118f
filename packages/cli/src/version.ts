import { createRequire } from "node:module";

/** This file is one folder below the package, and one deeper where it was put together with others (dist/start). */
const manifest = import.meta.url.includes("/dist/start/") ? "../../package.json" : "../package.json";

/** Of this package, as published. */
export const version: string = String(createRequire(import.meta.url)(manifest).version);
