/** What depends on the model a session would be resumed with. */

/**
 * Does the program put reminders between turns as system messages? Measured on 2.1.332: not for these models,
 * to which they go as user text, and after a result as the end of that result's text. A model that it no longer
 * has, or does not know, is replaced by its default one, which takes them.
 */
export function hasSystemTurns(model: string | undefined): boolean {
  return model === undefined || !/claude-(opus-4-[567]|sonnet-4-6|haiku-4-5)(?!\d)/.test(model);
}

const TOOLS =
  "Agent Bash CronCreate CronDelete CronList Edit EnterWorktree ExitWorktree KillShell Monitor NotebookEdit Read " +
  "ScheduleWakeup SendMessage Skill Task TaskStop ToolSearch WebFetch WebSearch Workflow Write";
const TASK_TOOLS = "TaskCreate TaskGet TaskList TaskUpdate";

/**
 * Tools of the program's own that a reference in a result may name on resume (`claude -p`, 2.1.332): after such a
 * result it says `Tool loaded.`, and references to any other tool are taken out.
 */
export function ownTools(model: string | undefined): ReadonlySet<string> {
  return new Set((hasSystemTurns(model) ? TOOLS : `${TOOLS} ${TASK_TOOLS}`).split(" "));
}

/** What the program says after a result that loads tools. It is in no record. */
export const TOOL_LOADED = "Tool loaded.";
