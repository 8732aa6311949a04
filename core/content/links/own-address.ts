/** No visitor can ask for a longer one (CloudFront quota), and its many segments would take long to look up. */
const maxPathLength = 8192;

/** A scheme, or a host: browsers take a backslash for a slash (URL, "basic URL parser"). */
const elsewhere = /^(?:[a-z][a-z\d+.-]*:|[\\/]{2})/i;

/** Without what browsers leave out: tabs and line ends, and spaces and control characters at the beginning. */
function withoutBlanks(text: string): string {
  return text.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+/, '');
}

/** Whether an address names a scheme or a host of its own. */
export function isElsewhere(text: string): boolean {
  return elsewhere.test(withoutBlanks(text));
}

/**
 * An address of the same site, as a browser resolves it. `undefined` for any other: nothing that a stranger writes is read
 * as a host, because to read letters out of order there takes n² steps that no limit of time ends.
 */
export function resolveOwn(text: string, base: string): URL | undefined {
  if (text.length > maxPathLength || isElsewhere(text)) return undefined;
  const url = URL.parse(text, base);
  if (url === null || url.pathname.length > maxPathLength) return undefined;
  // What is left of `/.//host` when its dot segments are taken out would be read as a host when it is written again.
  return url.pathname.startsWith('//') ? undefined : url;
}
