/**
 * Which values are secrets, by what they are called and what they look like. Used where a value would leave
 * the machine; the rule is to call too much a secret rather than too little.
 */

const NAMES =
  /token|secret|passw(?:or)?d|passphrase|api[-_]?key|apikey|access[-_]?key|private[-_]?key|auth|credential|cookie|bearer|signature|session[-_]?id|(?:^|[-_])(?:key|pat|pwd|sas|dsn)(?:$|[-_\d])/i;

/** Keys as vendors print them. */
const SHAPES =
  /^(?:sk|pk|rk|xox[abposr]|gh[pousr]|glpat|npm|pypi|hf|lin_api|ntn|secret|AIza|AKIA|ASIA|ya29|eyJ)[-_.A-Za-z0-9]{12,}|-----BEGIN [A-Z ]*PRIVATE KEY|^[a-z][\w+.-]*:\/\/[^/\s:@]+:[^/\s@]+@/;

const REFERENCE = /\$\{[A-Za-z_]\w*(?::-[^}]*)?\}/g;

/** `value` without its references: what is literally there. */
function literalPart(value: string): string {
  return value.replace(REFERENCE, "");
}

/** A literal value that must not leave the machine unasked. `name`: of the variable, header or option. */
export function looksSecret(name: string, value: string): boolean {
  const literal = literalPart(value)
    .replace(/^(?:Bearer|Basic|Token)\s+/i, "")
    .trim();
  if (literal === "" || /^(?:Bearer|Basic|Token)$/i.test(literal) || isPlain(literal)) return false;
  return NAMES.test(name) || SHAPES.test(literal) || entropy(literal) > 4 || /^[0-9a-f]{32,}$/i.test(literal);
}

/** What nobody keeps secret: switches, small numbers. */
function isPlain(value: string): boolean {
  return /^(?:true|false|yes|no|on|off|null|none|\d{1,6}(?:\.\d+)?)$/i.test(value);
}

/** Bits per character of something long enough to be a key and without white space; else 0. */
function entropy(value: string): number {
  if (value.length < 20 || /\s/.test(value) || /^(?:\.{0,2}|~|[A-Za-z]:)?[/\\]|^[a-z]+:\/\//i.test(value))
    return 0;
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** A legal name for the variable that takes a secret's place: `LINEAR_AUTHORIZATION`. */
export function variableName(...parts: readonly string[]): string {
  const name = parts
    .join("_")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[A-Z]/.test(name) ? name : `ASP_${name}`;
}
