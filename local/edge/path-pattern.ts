import { matchesWildcard } from '../iam/wildcard.ts';

/** Whether a behaviour's path pattern matches a path; the pattern's leading slash is optional. */
export function matchesPath(pattern: string, path: string): boolean {
  const anchored = pattern.startsWith('/') || pattern.startsWith('*') ? pattern : `/${pattern}`;
  return matchesWildcard(anchored, path);
}

/** `%41`, `%2d` and other encoded letters, digits and `-._~` (RFC 3986, section 2.3). */
const ENCODED_UNRESERVED = /%(?:2[DE]|3\d|[46][1-9A-F]|5[\dAF]|7[\dAE])/gi;

/**
 * The path that CloudFront compares with path patterns: without encoded unreserved characters, dot
 * segments and empty segments. Functions and origins still get the path as sent ("Cache behavior
 * settings", path pattern).
 */
export function normalizedPath(path: string): string {
  const kept: string[] = [];
  const segments = path
    .replace(ENCODED_UNRESERVED, (encoded) => decodeURIComponent(encoded))
    .split('/');
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const isFolder = segments.at(-1) === '' && kept.length > 0;
  return `/${kept.join('/')}${isFolder ? '/' : ''}`;
}
