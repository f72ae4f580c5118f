/** Jotter: everything this converter does. */
import { type Candidate, type Converter, defineReader, pathOf } from "@asp-convert/core";
import { chatsIn, EXPORT, listChats, readChat } from "./chats.js";

const converter: Converter = defineReader({
  id: "jotter",
  name: "Jotter",
  verified: ["1.0.0"],
  readOnly: "it takes no chats in",
  probe,
  locate: () => [],
  async open(path, source, environment) {
    const isFile = (await source.stat(path))?.kind === "file";
    const root = isFile ? pathOf(environment).dirname(path) : path;
    return { harness: "jotter", root, ...(isFile && { focus: path }) };
  },
  sessions: {
    list: listChats,
    read: readChat,
    view: async (store, source) => chatsIn(store).view(source),
    // What is not named here, Jotter does not have.
    fidelity: {
      messages: "preserved",
      "tool-calls": "preserved",
      "tool-results": "preserved",
      title: "preserved",
      times: "partial",
      cwd: "preserved",
      models: "preserved",
      ids: "partial",
    },
  },
});

export default converter;

/** An export, or one chat of it as a file. */
function probe({ kind, head, entries }: Candidate): number {
  if (kind === "directory") return entries.includes(EXPORT) ? 90 : 0;
  const start = Buffer.from(head).toString("utf8");
  return /^\ufeff?\s*\{\s*("app":\s*"jotter"|"id":\s*\d+,.*"lines":)/s.test(start) ? 90 : 0;
}
