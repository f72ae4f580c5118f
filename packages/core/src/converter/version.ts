/**
 * The contract that this core speaks. Raised when a converter that was written for the one before would no longer
 * work: `defineConverter` puts it into each converter, so that a mismatch is told of before anything goes wrong.
 */
export const CONTRACT = 1;
