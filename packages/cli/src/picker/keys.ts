/** What was pressed, out of the bytes a terminal sends. */

export type Key =
  | { name: "up" | "down" | "pageup" | "pagedown" | "home" | "end" | "enter" | "escape" | "backspace" }
  | { name: "interrupt" | "clear" | "word" }
  | { name: "text"; text: string };

const NAMES: Readonly<Record<string, Exclude<Key["name"], "text">>> = {
  "\u001b[A": "up",
  "\u001bOA": "up",
  "\u0010": "up",
  "\u001b[B": "down",
  "\u001bOB": "down",
  "\u000e": "down",
  "\u001b[5~": "pageup",
  "\u001b[6~": "pagedown",
  "\u001b[H": "home",
  "\u001bOH": "home",
  "\u001b[1~": "home",
  "\u001b[F": "end",
  "\u001bOF": "end",
  "\u001b[4~": "end",
  "\r": "enter",
  "\n": "enter",
  "\u001b": "escape",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0003": "interrupt",
  "\u0004": "interrupt",
  "\u0015": "clear",
  "\u0017": "word",
};

const ESC = "\u001b";
/** A sequence (CSI, SS3, or a key with Alt), or one character. */
const TOKEN = new RegExp(`${ESC}\\[[0-9;?]*[ -/]*[@-~]|${ESC}O.|${ESC}(?=${ESC}|$)|${ESC}.|[^${ESC}]`, "gsu");
const CONTROL = /\p{Cc}/u;
/** A sequence whose rest has not come yet, as happens over a slow line. */
const OPEN = new RegExp(`${ESC}(?:\\[[0-9;?]*|O)?$`, "u");

/** ms that the rest of a sequence is waited for; then it was Esc. */
const PATIENCE = 40;

/** Gives each key to `onKey`; `end` forgets what is waited for. */
export function keyReader(onKey: (key: Key) => void): { take: (text: string) => void; end: () => void } {
  let held = "";
  let timer: NodeJS.Timeout | undefined;
  const give = (text: string) => {
    for (const [token] of text.matchAll(TOKEN)) {
      const name = NAMES[token];
      if (name !== undefined) onKey({ name });
      else if (!token.startsWith(ESC) && !CONTROL.test(token)) onKey({ name: "text", text: token });
    }
  };
  return {
    take(text) {
      clearTimeout(timer);
      const all = held + text;
      held = OPEN.exec(all)?.[0] ?? "";
      give(all.slice(0, all.length - held.length));
      if (held === "") return;
      timer = setTimeout(() => {
        const rest = held;
        held = "";
        give(rest.length > 1 ? ESC : rest);
      }, PATIENCE);
    },
    end: () => clearTimeout(timer),
  };
}
