import { plural } from './format.ts';

/** What is said of a change that can be taken back. */
export const undoTexts = {
  undo: 'Undo',
  deleted: (count: number) =>
    plural(count, { one: 'The project was deleted.', other: `${count} projects were deleted.` }),
  archived: (count: number) =>
    plural(count, {
      one: 'The project was archived.',
      other: `${count} projects were archived.`,
    }),
  unarchived: (count: number) =>
    plural(count, {
      one: 'The project is published again.',
      other: `${count} projects are published again.`,
    }),
  rolledBack: (version: number) => `Version ${version} is live.`,
};
