/** The version whose shapes are written. */
export const VERSION = "0.24.4";
export const VERIFIED: readonly string[] = [VERSION];
