/** The body of a request as text, however it was packed. */
import type { IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return decompress(Buffer.concat(chunks), request.headers["content-encoding"]).toString("utf8");
}

function decompress(bytes: Buffer, encoding: string | undefined): Buffer {
  switch (encoding) {
    case undefined:
    case "identity":
      return bytes;
    case "zstd":
      return zstdDecompressSync(bytes);
    case "gzip":
      return gunzipSync(bytes);
    case "deflate":
      return inflateSync(bytes);
    case "br":
      return brotliDecompressSync(bytes);
    default:
      throw new Error(`the mock cannot read content-encoding ${encoding}`);
  }
}
