import { domainToUnicode } from 'node:url';

/** The name as browsers show it: internationalised names in their own script. */
export function shownName(name: string): string {
  return domainToUnicode(name) || name;
}

/** Whether `name` is `other` or lies beneath it. */
export function isSameOrBeneath(name: string, other: string): boolean {
  return name === other || name.endsWith(`.${other}`);
}

/** Looks ask for each of these, so that a name may not have many more. */
export const maxLabels = 10;

/** A name and those above it but the last, nearest first: `a.b.com`, `b.com`. */
export function namesUpFrom(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, from) => labels.slice(from).join('.'));
}
