/** The version whose shapes are written. */
export const VERSION = "3.0.65";
export const VERIFIED: readonly string[] = [VERSION];
