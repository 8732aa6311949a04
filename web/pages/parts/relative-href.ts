/**
 * A link that stays on this site, for any file name.
 *
 * A first segment with a colon would be a scheme (RFC 3986, section 4.2: `javascript:…`), and two
 * slashes, a backslash or a tab after the first would name another host (URL Standard, "special
 * authority ignore slashes"). The prefix `./` prevents both.
 */
export function relativeHref(href: string): string {
  return /^(?:\/(?![/\\\s])|\.{1,2}\/)/.test(href) ? href : `./${href}`;
}

/**
 * One segment of a path, percent-encoded. Unpaired surrogates, which cannot be encoded, become
 * U+FFFD.
 */
export function encodeSegment(name: string): string {
  return encodeURIComponent(name.replace(/\p{Cs}/gu, '\uFFFD'));
}
