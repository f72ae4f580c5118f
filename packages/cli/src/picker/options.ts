/** What may be said to the picker. */

export interface PickOptions {
  /** Numbered questions in place of a screen: for screen readers, and terminals that cannot be painted on. */
  plain: boolean;
  /** Search texts, and keep an index for that. */
  index: boolean;
}
