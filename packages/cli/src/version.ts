import { createRequire } from "node:module";

/** Of this package, as published. */
export const version: string = String(createRequire(import.meta.url)("../package.json").version);
