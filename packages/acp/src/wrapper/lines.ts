/** What single lines between a client and an agent are, as far as the wrapper must know. */
import { type Fields, fields } from "@asp-convert/core/values";
import { aspMethods } from "../methods.js";

export function isStateMethod(method: string): boolean {
  return Object.values<string>(aspMethods).includes(method);
}

/** What the agent is handed of a prompt: nothing that is meant for us. */
export function withoutAsp(value: Fields, params: Fields): Fields {
  const { asp: _, ...rest } = fields(params._meta) ?? {};
  const { _meta, ...others } = params;
  return { ...value, params: { ...others, ...(Object.keys(rest).length > 0 && { _meta: rest }) } };
}

const LF = Buffer.from("\n");

/** An agent that ended in the middle of a line: what its client is told next stands on a line of its own. */
export function whole(bytes: Buffer): Buffer {
  return bytes.at(-1) === LF[0] ? bytes : Buffer.concat([bytes, LF]);
}

const UPDATE = Buffer.from('"method":"session/update"');
/** The method stands at a message's beginning, as every agent writes it; one that does not is read whole. */
const HEAD = 128;

/** Most messages are updates, and some are large: they are not parsed. */
export function isUpdate(bytes: Buffer): boolean {
  return bytes.subarray(0, HEAD).includes(UPDATE);
}

/** The other side has gone: nothing that anybody has to be told of. */
export function isClosed(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return (
    code === "ERR_STREAM_PREMATURE_CLOSE" || code === "EPIPE" || code === "ECONNRESET" || code === "ABORT_ERR"
  );
}
