/** References to environment variables inside values, in the portable dialect: `${NAME}`, `${NAME:-default}`. */

export interface Reference {
  variable: string;
  default?: string;
}

export type ValuePart = string | Reference;

/** A value taken apart into literal text and references. */
export function partsOf(value: string): ValuePart[] {
  const parts: ValuePart[] = [];
  let at = 0;
  for (const match of value.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g)) {
    if (match.index > at) parts.push(value.slice(at, match.index));
    const [whole, variable, otherwise] = match;
    parts.push({ variable: variable as string, ...(otherwise !== undefined && { default: otherwise }) });
    at = match.index + whole.length;
  }
  if (at < value.length) parts.push(value.slice(at));
  return parts;
}

export function hasReference(value: string): boolean {
  return partsOf(value).some((part) => typeof part !== "string");
}

/** The one reference that a value is, and nothing else. */
export function onlyReference(value: string): Reference | undefined {
  const [part, ...more] = partsOf(value);
  return part !== undefined && typeof part !== "string" && more.length === 0 ? part : undefined;
}

/** The variable of a `Bearer ${NAME}` value. */
export function bearerReference(value: string): Reference | undefined {
  return /^Bearer /i.test(value) ? onlyReference(value.slice(7)) : undefined;
}

export function reference({ variable, default: otherwise }: Reference): string {
  return otherwise === undefined ? `\${${variable}}` : `\${${variable}:-${otherwise}}`;
}
