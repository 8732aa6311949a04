/** Whether `text` fits a CloudFront pattern: `*` is any number of characters, `?` is exactly one; case counts. */
export function matchesPattern(pattern: string, text: string): boolean {
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

/** Whether a behaviour's path pattern fits a request path; the leading slash of the pattern is optional. */
export function matchesPath(pattern: string, path: string): boolean {
  const anchored = pattern.startsWith('/') || pattern.startsWith('*') ? pattern : `/${pattern}`;
  return matchesPattern(anchored, path);
}
