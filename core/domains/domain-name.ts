import { domainToUnicode } from 'node:url';

/** The name as browsers show it: internationalised names in their own script. */
export function shownName(name: string): string {
  return domainToUnicode(name) || name;
}

/** Whether `name` is `other` or lies beneath it. */
export function isSameOrBeneath(name: string, other: string): boolean {
  return name === other || name.endsWith(`.${other}`);
}
