/**
 * What the model is sent of a prompt, without what the program puts around it at the time: the moment before it, and
 * reminders of its own after it.
 */

export interface Unwrapped {
  text: string;
  /** In their order. */
  wrapping: string[];
}

const BEFORE = /^<current_datetime>[^<]{0,80}<\/current_datetime>\n\n/;
const OPENING = "\n\n<system_reminder>\n";
const CLOSING = "\n</system_reminder>";

export function unwrap(sent: string, typed: string): Unwrapped {
  const [before = ""] = BEFORE.exec(sent) ?? [];
  let text = sent.slice(before.length);
  let after = "";
  if (text !== typed && text.endsWith(CLOSING)) {
    // What a person typed may itself have such an opening in it.
    const start = text.startsWith(typed + OPENING) ? typed.length : text.lastIndexOf(OPENING);
    if (start !== -1) {
      after = text.slice(start);
      text = text.slice(0, start);
    }
  }
  return { text, wrapping: [before, after].map((part) => part.trim()).filter((part) => part !== "") };
}
