/** Which calls are answered anywhere in a sequence: asked only when one is found without its result. */
import { flag } from "./kinds.js";
import type { Transcript } from "./transcript.js";
import { list, object, text } from "./value.js";

export function answered(transcript: Transcript, sequence: readonly number[]): (callId: string) => boolean {
  let known: Set<string> | undefined;
  return (callId) => {
    known ??= resultsIn(transcript, sequence);
    return known.has(callId);
  };
}

function resultsIn(transcript: Transcript, sequence: readonly number[]): Set<string> {
  const found = new Set<string>();
  const again = transcript.again();
  for (const i of sequence) {
    if (!((transcript.records.flags[i] as number) & flag.result)) continue;
    for (const block of list(object(again.get(i)?.message)?.content) ?? []) {
      const id = text(object(block)?.tool_use_id);
      if (id !== undefined) found.add(id);
    }
  }
  return found;
}
