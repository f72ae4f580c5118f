/** Free text inside an HTML comment's attribute: nothing in it can end either. */
export function encodeAttribute(value: string): string {
  return value
    .toWellFormed()
    .replace(/[%"<>\p{Cc}]|--/gu, (part) => encodeURIComponent(part).replaceAll("-", "%2D"));
}

export function decodeAttribute(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // not ours: somebody wrote it by hand
  }
}
