/** Unicode lets a letter have 30 marks (Stream-Safe Text Format, UAX #15, section 12.1). */
const tooManyMarks = /\p{M}{31}/u;

/** Whether a text has more combining marks in a row than any language writes. */
export function hasTooManyMarks(text: string): boolean {
  return tooManyMarks.test(text);
}

/**
 * A text in NFC. One with too many marks in a row stays as it is: it takes n² steps to put n marks in order, and no limit
 * of time ends `normalize`.
 */
export function composed(text: string): string {
  return hasTooManyMarks(text) ? text : text.normalize('NFC');
}
