/** The version whose shapes are written. */
export const VERSION = "1.6.0";
export const VERIFIED: readonly string[] = [VERSION];
/** `version` of the session header that it writes. */
export const FORMAT = 3;
