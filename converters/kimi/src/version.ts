/** The version whose shapes are written. */
export const VERSION = "2.1.0";
export const VERIFIED: readonly string[] = [VERSION];
/** `protocol_version` of the journals that it writes. */
export const PROTOCOL = "1.5";
