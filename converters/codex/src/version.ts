/** The version whose shapes are written; the others were tried too. */
export const VERSION = "0.171.0";
export const VERIFIED: readonly string[] = [VERSION, "0.160.0", "0.150.0", "0.140.0"];
