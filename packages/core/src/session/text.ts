/** Text rules that every foreign write needs. */

/** Lone surrogates (from a cut emoji) become U+FFFD: no vendor takes them. The same string if there are none. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** Empty or white space only: vendors refuse such a text block. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}
