import { domainToUnicode } from 'node:url';

/** The name as browsers show it: internationalised names in their own script. */
export function shownName(name: string): string {
  return domainToUnicode(name) || name;
}

/** Whether `name` is `other` or lies beneath it. */
export function isSameOrBeneath(name: string, other: string): boolean {
  return name === other || name.endsWith(`.${other}`);
}

/** Checks query DNS for each label, so a name may not have more of them. */
export const maxLabels = 10;

/** A name and its parents except the top-level domain, nearest first: `a.b.com`, `b.com`. */
export function namesUpFrom(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, from) => labels.slice(from).join('.'));
}
