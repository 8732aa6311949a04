import { asciiOnly } from './ascii-only.ts';
import type { RedirectRule, RedirectStatus } from './parse-redirects.ts';
import {
  fillTemplate,
  matchPattern,
  readPattern,
  readRulePath,
  type RulePath,
} from './path-pattern.ts';

/** Where a rule leads: to another address, or to a file of the site that is shown in place. */
export type Followed<File> =
  | { kind: 'redirect'; location: string; status: RedirectStatus }
  | { kind: 'shown'; file: File; status: 200 | 404 };

/** One request, as rules see it. */
export interface RuledRequest<File> {
  path: RulePath;
  query: string;
  /** Whether the site answers it without any rule. */
  isFound: boolean;
  /** The file that the site answers a path with, if it does. */
  find(path: string): File | undefined;
}

/** A longer address is no use to browsers, and CloudFront passes on 20,480 bytes of all fields. */
const maxLocationLength = 8000;

/**
 * What the first rule that fits says; `undefined` where none does, or where a file stands and the
 * rule does not shadow it. A rule that would lead to itself, or to a file that is not there, does
 * not fit.
 */
export function followRedirects<File>(
  rules: readonly RedirectRule[],
  request: RuledRequest<File>,
): Followed<File> | undefined {
  for (const rule of rules) {
    const reading = readPattern(rule.from);
    const captures = 'pattern' in reading ? matchPattern(reading.pattern, request.path) : undefined;
    if (captures === undefined) continue;
    if (request.isFound && !rule.force) return undefined;
    // A splat that stands for nothing must not make `//`, which begins another site's address.
    const to = fillTemplate(rule.to, captures).replace(/^\/+/, '/');
    const followed = follow(rule, to, request);
    if (followed !== undefined) return followed;
  }
  return undefined;
}

function follow<File>(
  rule: RedirectRule,
  to: string,
  request: RuledRequest<File>,
): Followed<File> | undefined {
  const { status } = rule;
  const [path = ''] = to.split(/[?#]/, 1);
  if (status === 200 || status === 404) {
    const file = request.find(path);
    return file === undefined ? undefined : { kind: 'shown', file, status };
  }
  if (to.startsWith('/') && leadsBack(rule, path, request)) return undefined;
  const location = withQuery(to, request.query);
  return location.length > maxLocationLength ? undefined : { kind: 'redirect', location, status };
}

/** Another round of the same rule would follow, and no file ends it. */
function leadsBack<File>(rule: RedirectRule, to: string, request: RuledRequest<File>): boolean {
  const target = readRulePath(to);
  const reading = readPattern(rule.from);
  if (target === undefined || 'fault' in reading) return false;
  if (matchPattern(reading.pattern, target) === undefined) return false;
  return rule.force || request.find(to) === undefined;
}

/** A visitor's query goes along, unless the address has one of its own. */
export function withQuery(location: string, query: string): string {
  if (query === '' || location.includes('?')) return location;
  const [path = '', ...fragment] = location.split('#');
  const kept = asciiOnly(query.replaceAll('#', '%23'));
  return [`${path}?${kept}`, ...fragment].join('#');
}
