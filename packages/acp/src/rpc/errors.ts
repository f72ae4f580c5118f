/** Errors as JSON-RPC tells them. */
export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** ACP's own: there is no such session. */
  notFound: -32002,
  cancelled: -32800,
} as const;

/** An error that goes to the other side as it is. */
export class RpcError extends Error {
  override name = "RpcError";
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The `error` of an answer. What went wrong inside is told by its message; never by its stack. */
export function errorOf(error: unknown): { code: number; message: string; data?: unknown } {
  if (error instanceof RpcError)
    return {
      code: error.code,
      message: error.message,
      ...(error.data !== undefined && { data: error.data }),
    };
  const code = error instanceof Error && error.name === "AbortError" ? codes.cancelled : codes.internal;
  return { code, message: error instanceof Error ? error.message : String(error) };
}
