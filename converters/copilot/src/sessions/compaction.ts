/**
 * What the model is sent in place of what was said before a compaction: what the person asked, word for word, and what
 * the model made of it all. The program makes this text anew whenever it goes on; these are its words.
 */
const OPENING =
  "Some of the conversation history has been summarized to free up context.\n\n" +
  "You were originally given instructions from a user over one or more turns. Here were the user messages:\n";

/** @param prompts as they were typed. */
export function summaryText(
  prompts: Iterable<string>,
  summary: string,
  workflow: string | undefined,
): string {
  let text = OPENING;
  for (const prompt of prompts) text += `<user_message>\n${prompt}\n</user_message>\n`;
  text += `\nHere is a summary of the prior context:\n<summary>\n${summary}\n</summary>\n`;
  return workflow === undefined ? text : `${text}\n\n${workflow}`;
}
