/** The version whose shapes are written. */
export const VERSION = "0.61.0";
export const VERIFIED: readonly string[] = [VERSION];
