import * as z from 'zod/mini';
import type { Access } from '../../contract/visits/visit-fields.ts';

// The gate imports this module: `zod/mini` only (decision 0124).

/** Who may prove an address to open a project, and who may not. Entries are normalised: `anna@x.com`, or `@y.com` for a whole domain. */
export const PeopleList = z.object({
  /** Another one for each change of the list. */
  stamp: z.string().check(z.regex(/^[\w-]{12}$/)),
  people: z.array(z.string()),
  deniedPeople: z.array(z.string()),
});
export type PeopleList = z.infer<typeof PeopleList>;

/** Whether a project with this access opens for people who prove an e-mail address. */
export function isForPeople(access: Access): access is 'people' | 'identify' {
  return access === 'people' || access === 'identify';
}

/**
 * Whether the holder of a normalised address may open a project. Pure.
 *
 * The deny list wins, also over other names of the same mailbox. Without a list nobody is on it: `people` admits
 * nobody then, and `identify` everybody.
 */
export function isOnList(
  list: Pick<PeopleList, 'people' | 'deniedPeople'> | undefined,
  access: Access,
  email: string,
): boolean {
  const domain = email.slice(email.lastIndexOf('@'));
  const isIn = (entries: readonly string[] = []) =>
    entries.includes(email) || entries.includes(domain);
  const denied = list?.deniedPeople ?? [];
  const isDenied = isIn(denied) || denied.includes(mailboxOf(email));
  if (!isForPeople(access) || isDenied) return false;
  return access === 'identify' || isIn(list?.people);
}

/** The address without a tag: most mail services put `bo+anything@y.com` into the mailbox of `bo@y.com`. Pure. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const tag = email.indexOf('+');
  return tag > 0 && tag < at ? email.slice(0, tag) + email.slice(at) : email;
}
