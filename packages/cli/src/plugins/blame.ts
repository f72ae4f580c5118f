/**
 * What a plugin throws that is no answer of the contract is a fault of its own: it is told of by the converter's name,
 * and a list of several stores goes on without it.
 */
import { type Converter, SourceError } from "@asp-convert/core";
import { CommandError } from "../errors.js";

/** What a converter may throw; all else is a bug of it. */
const ANSWERS = new Set([
  "SourceError",
  "RefusedError",
  "AccountError",
  "WriteError",
  "BusyError",
  "ConflictError",
  "AbortError",
  "CommandError",
]);

export function blamed(converter: Converter): Converter {
  const { sessions, name, id } = converter;
  const { list, read, write, replay, extend } = sessions;
  const fault = (error: unknown, doing: string): unknown => {
    if (error instanceof Error && ANSWERS.has(error.name)) return error;
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return new CommandError(`the converter ${id} (${name}) failed while ${doing}: ${what}`, {
      code: "converter",
      next: "This is a fault of the plugin, not of the session: tell its author. ASP_DEBUG=1 shows where it happened.",
      cause: error,
    });
  };
  return {
    ...converter,
    sessions: {
      ...sessions,
      async *list(store, context) {
        try {
          yield* list.call(sessions, store, context);
        } catch (error) {
          const told = fault(error, "listing");
          if (!(told instanceof CommandError) || !context.onUnreadable) throw told;
          context.onUnreadable(new SourceError(store.focus ?? store.root, "unreadable", told.message));
        }
      },
      async *read(ref, context) {
        try {
          yield* read.call(sessions, ref, context);
        } catch (error) {
          throw fault(error, `reading session ${ref.id}`);
        }
      },
      write: (input, target) =>
        write.call(sessions, input, target).catch((error: unknown) => {
          throw fault(error, `writing session ${input.ref.id}`);
        }),
      replay: (ref, files, target) =>
        replay.call(sessions, ref, files, target).catch((error: unknown) => {
          throw fault(error, `copying session ${ref.id}`);
        }),
      ...(extend && {
        extend: (base, input, target) =>
          extend.call(sessions, base, input, target).catch((error: unknown) => {
            throw fault(error, `writing session ${input.ref.id}`);
          }),
      }),
    },
  };
}
