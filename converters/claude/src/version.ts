/** Versions of the real program that the facts were measured on, newest first. */
export const VERIFIED: readonly string[] = ["2.1.332", "2.1.197"];

/** The version whose record shapes are written. */
export const VERSION = "2.1.332";
