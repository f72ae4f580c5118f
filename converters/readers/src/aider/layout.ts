/** Where Aider keeps its chats, and how one begins. */
export function isHistory(name: string): boolean {
  return name === ".aider.chat.history.md";
}

/** `# aider chat started at 2024-05-08 16:41:19`, by the clock of the machine. */
export const BEGIN = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/m;
