/** What depends on the model a session would be resumed with. */

/**
 * Does the program put reminders between turns as system messages? Measured on 2.1.332: not for these models,
 * to which they go as user text, and after a result as the end of that result's text. A model that it no longer
 * has, or does not know, is replaced by its default one, which takes them.
 */
export function hasSystemTurns(model: string | undefined): boolean {
  return model === undefined || !/claude-(opus-4-[567]|sonnet-4-6|haiku-4-5)(?!\d)/.test(model);
}
