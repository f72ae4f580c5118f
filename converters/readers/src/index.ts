/** Readers of what people leave, or have archived: each in a folder of its own, all read and none written. */
import type { Converter } from "@asp-convert/core";
import chatgpt from "./chatgpt/index.js";

export { chatgpt };

const readers: readonly Converter[] = [chatgpt];

export default readers;
