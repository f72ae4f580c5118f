/** A session's title, as the program's own picker shows it. */
import type { SessionRef } from "@asp-convert/core";
import type { Chain } from "./chain.js";
import { isTyped, kinds } from "./kinds.js";
import { isPrompt } from "./records.js";
import type { Transcript } from "./transcript.js";
import { commandLine } from "./user.js";
import { list, object, text } from "./value.js";

export type Title = Required<Pick<SessionRef, "title" | "titleFrom">>;

const LONGEST = 200;

/**
 * In this order: the last custom title, the file beside the transcript, the program's title, an old summary,
 * the last prompt it noted, the first prompt.
 * @param side the text of `custom-title.json`, if there is one.
 */
export function titleOf(transcript: Transcript, chain: Chain, side: string | undefined): Title | undefined {
  const { facts } = transcript.records;
  const field = (record: number | undefined, key: string): string | undefined =>
    record === undefined ? undefined : shortened(text(transcript.peek(record)?.[key]));
  const custom = field(facts.customTitle, "customTitle") ?? shortened(sideTitle(side));
  if (custom !== undefined) return { title: custom, titleFrom: "user" };
  const made = field(facts.aiTitle, "aiTitle") ?? field(facts.summary, "summary");
  if (made !== undefined) return { title: made, titleFrom: "agent" };
  const prompt = field(facts.lastPromptText, "lastPrompt") ?? shortened(firstPrompt(transcript, chain));
  return prompt === undefined ? undefined : { title: prompt, titleFrom: "prompt" };
}

function sideTitle(side: string | undefined): string | undefined {
  if (side === undefined) return undefined;
  try {
    return text(object(JSON.parse(side))?.customTitle);
  } catch {
    return undefined;
  }
}

function firstPrompt(transcript: Transcript, chain: Chain): string | undefined {
  const { records } = transcript;
  let command: string | undefined;
  for (const segment of chain.segments) {
    for (const i of segment.records) {
      if (records.kind[i] !== kinds.user) continue;
      if (isPrompt(records, i)) {
        const content = object(transcript.peek(i)?.message)?.content;
        const words =
          typeof content === "string"
            ? [content]
            : (list(content) ?? []).map((block) => text(object(block)?.text) ?? "");
        const typed = words.find((each) => isTyped(each));
        if (typed !== undefined) return typed;
      } else if (command === undefined) {
        const content = object(transcript.peek(i)?.message)?.content;
        if (typeof content === "string") command = commandLine(content.trimStart());
      }
    }
  }
  return command;
}

function shortened(words: string | undefined): string | undefined {
  const line = words
    ?.slice(0, LONGEST * 10)
    .replace(/\s+/g, " ")
    .trim();
  if (line === undefined || line === "") return undefined;
  return line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
}
