/**
 * Whether `text` fits a pattern: `*` is any number of characters, `?` is exactly one; case counts.
 * It backtracks to the last `*` only, so that no pattern is slow.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let p = 0;
  let star = -1;
  let retry = 0;
  while (at < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      retry = at;
    } else if (pattern[p] === '?' || pattern[p] === text[at]) {
      p++;
      at++;
    } else if (star >= 0) {
      p = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(p));
}
