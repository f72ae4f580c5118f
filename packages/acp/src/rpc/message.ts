/** JSON-RPC 2.0 messages, looked at as far as is needed. */
import { type Fields, fields } from "@asp-convert/core/values";

export type RpcId = string | number | null;

export type Message =
  | { is: "request"; id: RpcId; method: string; params: unknown; value: Fields }
  | { is: "notification"; method: string; params: unknown; value: Fields }
  | { is: "answer"; id: RpcId; result: unknown; error: unknown; value: Fields }
  | { is: "none"; id: RpcId; why: string; parsed: boolean };

/** What a line is. One that is no message is `none`, with the reason in words; nothing is thrown. */
export function messageOf(bytes: Uint8Array): Message {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
  } catch {
    return { is: "none", id: null, why: "the line is no JSON", parsed: false };
  }
  const value = fields(parsed);
  if (!value) return none(null, Array.isArray(parsed) ? "batches are not taken" : "the message is no object");
  const { id, method, params } = value;
  const legal = id === null || typeof id === "string" || typeof id === "number";
  if (typeof method === "string") {
    if (id === undefined) return { is: "notification", method, params, value };
    return legal ? { is: "request", id, method, params, value } : none(null, "the id is no string or number");
  }
  if (legal && ("result" in value || "error" in value))
    return { is: "answer", id, result: value.result, error: value.error, value };
  return none(legal ? id : null, "the message has neither a method nor a result");
}

function none(id: RpcId, why: string): Message {
  return { is: "none", id, why, parsed: true };
}

/** Ids of one direction as keys: 1 and "1" are not the same. */
export function keyOf(id: RpcId): string {
  return JSON.stringify(id);
}
