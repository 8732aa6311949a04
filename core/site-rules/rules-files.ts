import type { RuleWarning } from '../../contract/fields.ts';

/** The files at the top of a site that say how it is served; they are never served themselves. */
export const redirectsFile = '_redirects';
export const headersFile = '_headers';

/** Whether a file of a site holds rules. */
export function isRulesFile(path: string): path is RuleWarning['file'] {
  return path === redirectsFile || path === headersFile;
}
