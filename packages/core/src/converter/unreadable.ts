/** One file that cannot be read does not hide the others of a store. */
import { SourceError } from "../io/source.js";
import type { ListContext } from "./contract.js";

/**
 * What `look` finds; undefined where it meets a file or folder that cannot be read, and someone is told of it.
 * @throws SourceError where nobody is
 */
export async function unlessUnreadable<T>(
  { onUnreadable }: Pick<ListContext, "onUnreadable">,
  look: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!onUnreadable || !(error instanceof SourceError)) throw error;
    onUnreadable(error);
    return undefined;
  }
}
