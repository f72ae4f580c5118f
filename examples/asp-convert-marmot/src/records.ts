/** Marmot's records, one JSON object a line. Whatever does not fit is left unread, and told of. */
export const VERSION = "1.4.0";

/** `at`: milliseconds since 1970. */
type At = { at: number };

export type Talk = At & {
  kind: "talk";
  talk: string;
  dir: string;
  marmot: string;
  /** Our own: where a converted talk came from. Marmot ignores keys that it does not know. */
  from?: { harness: string; id: string };
};
export type Said = At & { kind: "ask" | "answer" | "think"; text: string; by?: string };
export type Call = At & { kind: "call"; call: string; tool: string; with: unknown };
export type Back = At & { kind: "back"; call: string; text: string; ok: boolean };
export type Name = At & { kind: "name"; name: string };

export type NativeRecord = Talk | Said | Call | Back | Name;

/** The value as a record, if it is one in all its parts. */
export function asRecord(value: unknown): NativeRecord | undefined {
  return isObject(value) && isTime(value.at) && fits(value) ? (value as unknown as NativeRecord) : undefined;
}

function fits({ kind, ...rest }: Record<string, unknown>): boolean {
  switch (kind) {
    case "talk":
      return areTexts(rest.talk, rest.dir, rest.marmot);
    case "ask":
    case "think":
    case "answer":
      return areTexts(rest.text, rest.by ?? "");
    case "call":
      return areTexts(rest.call, rest.tool) && "with" in rest;
    case "back":
      return areTexts(rest.call, rest.text) && typeof rest.ok === "boolean";
    case "name":
      return areTexts(rest.name);
    default:
      return false;
  }
}

/** What a record looks like, to be found in a damaged line too. */
export const isRecord = (value: object): boolean => "kind" in value && "at" in value;

export const timeOf = ({ at }: At): string => new Date(at).toISOString();

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}

/** A time that has a date. */
function isTime(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= 8.64e15;
}
