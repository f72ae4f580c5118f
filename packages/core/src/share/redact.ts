/**
 * Finds what looks like a secret in text and puts a marker in its place: by known shapes, by the name it is given, and
 * by how random it is. The same secret gets the same marker throughout a run, so that what was said still makes sense.
 */

export interface Redactor {
  /** The text with markers; the same string if nothing was found. */
  text(text: string): string;
  /** How many were found so far, by kind. */
  readonly counts: ReadonlyMap<string, number>;
}

interface Shape {
  kind: string;
  pattern: RegExp;
  /** The group that is the secret; 0: all of it. */
  group: number;
  /** Says no to what only looks like one. */
  unless?: (secret: string, before: string, whole: string) => boolean;
}

const SHAPES: readonly Shape[] = [
  {
    kind: "private-key",
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    group: 0,
  },
  { kind: "anthropic-key", pattern: /\bsk-ant-[A-Za-z0-9_-]{16,}/g, group: 0 },
  { kind: "openai-key", pattern: /\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}/g, group: 0 },
  {
    kind: "github-token",
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})/g,
    group: 0,
  },
  { kind: "gitlab-token", pattern: /\bglpat-[A-Za-z0-9_-]{18,}/g, group: 0 },
  { kind: "slack-token", pattern: /\bxox[abposre]-[A-Za-z0-9-]{10,}/g, group: 0 },
  { kind: "aws-key", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, group: 0 },
  { kind: "google-key", pattern: /\b(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,})/g, group: 0 },
  { kind: "npm-token", pattern: /\bnpm_[A-Za-z0-9]{36}\b/g, group: 0 },
  { kind: "stripe-key", pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g, group: 0 },
  { kind: "huggingface-token", pattern: /\bhf_[A-Za-z0-9]{30,}/g, group: 0 },
  { kind: "jwt", pattern: /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g, group: 0 },
  {
    kind: "url-password",
    pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:([^\s/@]+)@/gi,
    group: 1,
    unless: isPlaceholder,
  },
  {
    kind: "authorization",
    pattern: /\b(?:Bearer|Basic)\s+([A-Za-z0-9._~+/=-]{8,})/g,
    group: 1,
    unless: isPlaceholder,
  },
  {
    kind: "named-secret",
    pattern:
      /(?<![A-Za-z0-9])[A-Za-z0-9_.-]*(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|credential)s?["']?\s*(?:=>|[:=])\s*["']?([^\s"'`,;{}()[\]<>]{6,})/gi,
    group: 1,
    // `DB_PASSWORD=letmein` is how an environment is printed: a plain word is a value there, and no prose.
    unless: (secret, _, whole) =>
      isPlaceholder(secret) && !(/^[A-Z0-9_]+=/.test(whole) && /^[a-z]+$/.test(secret) && !isStandIn(secret)),
  },
  { kind: "random", pattern: /[A-Za-z0-9_+=-]{32,}/g, group: 0, unless: isHarmless },
];

/** `$TOKEN`, `${TOKEN}`, `<your-key>`, `xxxx`, a word, a path, a call: what stands where a secret would. */
function isPlaceholder(secret: string): boolean {
  return (
    isStandIn(secret) ||
    /^(.)\1+$/.test(secret) ||
    /^[A-Za-z_.]+$/.test(secret) ||
    /^\[redacted:/.test(secret) ||
    /^(?:\.{0,2}|~)\//.test(secret)
  );
}

function isStandIn(secret: string): boolean {
  return /^[$%<{]|^(?:your|my|some|example|placeholder|changeme|redacted|undefined|null|true|false|required|optional|process\.env|os\.environ)/i.test(
    secret,
  );
}

/** Hashes, ids, names of things: long and odd, and no secret. */
function isHarmless(token: string, before: string): boolean {
  return (
    /^[0-9a-f-]+$/i.test(token) ||
    /(?:sha(?:1|256|384|512)[-:]|data:[\w/+.-]+;base64,|integrity"?:\s*"?[\w-]*)$/i.test(before) ||
    !/\d/.test(token) ||
    !/[a-z]/.test(token) ||
    !/[A-Z]/.test(token) ||
    /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+){3,}$/.test(token) ||
    bitsPerCharacter(token) < 4.2
  );
}

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Longer runs are content of its own kind (an encoded file), not text with a secret in it. */
const LONGEST = 4096;

export function redactor(): Redactor {
  const counts = new Map<string, number>();
  const numbers = new Map<string, number>();
  const marker = (kind: string, secret: string): string => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const number = numbers.get(secret) ?? numbers.size + 1;
    numbers.set(secret, number);
    return `[redacted:${kind}:${number}]`;
  };
  return {
    counts,
    text(text) {
      let now = text;
      for (const { kind, pattern, group, unless } of SHAPES) {
        now = now.replace(pattern, (whole: string, ...rest: unknown[]) => {
          const secret = group === 0 ? whole : String(rest[group - 1]);
          const at = rest.find((part) => typeof part === "number") as number;
          const before = now.slice(Math.max(0, at - 40), at);
          if (secret.length > LONGEST || secret.includes("[redacted:") || /\[redacted:[\w-]*$/.test(before))
            return whole;
          if (unless?.(secret, before, whole)) return whole;
          const from = whole.lastIndexOf(secret);
          return whole.slice(0, from) + marker(kind, secret) + whole.slice(from + secret.length);
        });
      }
      return now;
    },
  };
}
