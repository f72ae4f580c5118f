/** Versions of Factory Droid that the facts were measured on, and that resumed what is written here. */
export const VERIFIED = ["0.225.2"] as const;
