import * as z from 'zod';

/** The longest address (RFC 5321 §4.5.3.1). */
const maxEntryOctets = 254;

/** Who may prove their address to a project: one e-mail address, or a whole domain such as `@example.com`. */
const PersonEntry = z
  .string()
  .trim()
  .refine(
    (entry) =>
      entry.length <= maxEntryOctets &&
      z.email().safeParse(entry.startsWith('@') ? `a${entry}` : entry).success,
    { error: 'must be an e-mail address, or a domain such as @example.com' },
  );

/** A list of people. */
export const People = z.array(PersonEntry).max(500);

/** The same as a form field: entries are separated by commas, spaces or lines. */
const FormPeople = z.union([
  People,
  z
    .string()
    .transform((text) => text.split(/[\s,;]+/).filter((entry) => entry !== ''))
    .pipe(People),
]);

const peopleText = 'With `access: people`: who may open it. `@example.com` is a whole domain.';
const deniedText = 'Who may not, although `people` or `identify` would let them in.';

/** Who may prove an address, in a request; a list replaces the earlier one. */
export const changedPeople = {
  people: People.optional().describe(peopleText),
  deniedPeople: People.optional().describe(deniedText),
};

/** The same for a new project, as form fields. */
export const newPeople = {
  people: FormPeople.optional().describe(peopleText),
  deniedPeople: FormPeople.optional().describe(deniedText),
};

/** The same as its owner reads it; absent where the project asks for no address, or has no list. */
export const shownPeople = {
  people: z.array(z.string()).optional(),
  deniedPeople: z.array(z.string()).optional(),
};
