/** What is attached to a prompt, and what a result holds beside its text, as portable blocks. */
import type { Block } from "@asp-convert/core";
import { type Fields, fields, list, name, string } from "@asp-convert/core/values";

/** The bytes that an id stands for; undefined: they are not in the file. */
export type AssetOf = (assetId: string) => string | undefined;

/** How the program announces a picture that it was given by its path. */
export const PICTURE_AT = "Image file at path ";
/** What it says before a picture without a name. */
export const PICTURE = "Attached image";

export function attachmentBlocks(value: unknown, assetOf: AssetOf): Block[] {
  return list(value).flatMap((each): Block[] => {
    const given = fields(each);
    const bytes = given && bytesOf(given, assetOf);
    const title = name(given?.displayName);
    const path = name(given?.path);
    if (!given || (given.type !== "file" && given.type !== "blob" && given.type !== "directory"))
      return [{ type: "unknown", nativeType: "copilot.attachment", value: each }];
    const mediaType = name(given.mimeType);
    if (bytes === undefined) {
      if (given.assetId !== undefined || path === undefined)
        return [{ type: "unknown", nativeType: "copilot.attachment", value: each }];
      return [
        { type: "reference", uri: path, ...named(title), ...(mediaType !== undefined && { mediaType }) },
      ];
    }
    if (!mediaType?.startsWith("image/"))
      return [
        {
          type: "reference",
          uri: path ?? title ?? "document",
          ...named(title),
          ...(mediaType !== undefined && { mediaType }),
          data: bytes,
        },
      ];
    const label = path === undefined ? title : PICTURE_AT + path;
    return [
      ...(label === undefined ? [] : [{ type: "text" as const, text: label }]),
      { type: "image", mimeType: mediaType, data: bytes, ...(title !== undefined && { alt: title }) },
    ];
  });
}

function named(title: string | undefined): { title?: string } {
  return title === undefined ? {} : { title };
}

function bytesOf(given: Fields, assetOf: AssetOf): string | undefined {
  const asset = name(given.assetId);
  return string(given.data) ?? (asset === undefined ? undefined : assetOf(asset));
}

export interface Answered {
  result: Block[];
  isError: boolean;
  /** What is shown of it beside. */
  detail: Fields;
}

/** Of what stands beside a result, nothing is the program's own bookkeeping: that is in every event. */
const PLAIN = new Set([
  "toolCallId",
  "success",
  "result",
  "error",
  "model",
  "interactionId",
  "turnId",
  "parentToolCallId",
  "rte",
  "toolTelemetry",
  "asp",
]);

/** As the model is sent it: a failed one's reason, else the text and what is with it. */
export function answered(data: Fields, assetOf: AssetOf): Answered {
  const result = fields(data.result);
  const error = fields(data.error);
  const isError = data.success === false;
  const text = string(isError ? error?.message : result?.content) ?? (isError ? FAILED : undefined);
  const blocks: Block[] = text === undefined ? [] : [{ type: "text", text }];
  for (const each of list(result?.binaryResultsForLlm)) {
    const given = fields(each);
    const bytes = given && bytesOf(given, assetOf);
    const mimeType = name(given?.mimeType);
    if (bytes === undefined) blocks.push({ type: "unknown", nativeType: "copilot.binary", value: each });
    else if (mimeType?.startsWith("image/")) blocks.push({ type: "image", mimeType, data: bytes });
    else
      blocks.push({
        type: "reference",
        uri: name(given?.description) ?? "document",
        ...(mimeType !== undefined && { mediaType: mimeType }),
        data: bytes,
      });
  }
  const beside = without(data, PLAIN);
  const inResult = without(result, isError ? SENT : new Set([...SENT, "content"]));
  const inError = without(error, isError ? new Set(["message"]) : new Set());
  const detail = {
    ...beside,
    ...(Object.keys(inResult).length > 0 && { result: inResult }),
    ...(Object.keys(inError).length > 0 && { error: inError }),
  };
  return { result: blocks, isError, detail };
}

const SENT: ReadonlySet<string> = new Set(["binaryResultsForLlm"]);

function without(given: Fields | undefined, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([key]) => !names.has(key)));
}

/** What the program says of a failure that has no words. */
const FAILED = "Tool execution failed";
