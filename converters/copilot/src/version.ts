/** The version whose shapes are written. */
export const VERSION = "1.0.102";
export const VERIFIED: readonly string[] = [VERSION];
/** `version` of the first event that it writes. */
export const FORMAT = 1;
