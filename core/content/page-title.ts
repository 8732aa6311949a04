/** Of a page, this much is read for its title: that is in the head, which is far shorter. */
export const titleBytes = 64 * 1024;
/** As many characters as a title may have. */
const mostCharacters = 255;
/** What editors and templates write, and nobody chose. */
const usual =
  /^(?:document|untitled|title|index|home|(?:vite|react|vue|next)(?:\.js)?\b.*app|vite \+ \w+)$/i;

/**
 * The `<title>` of a page, from its beginning; undefined if it has none that somebody chose. Pure.
 * Read as text: the web app refuses itself the parser of the browser (`require-trusted-types-for`).
 */
export function chosenTitle(head: string): string | undefined {
  const shown = head.replaceAll(/<!--.*?(?:-->|$)/gs, '');
  const [, text = ''] = /<title\b[^>]*>([^<]*)<\/title/i.exec(shown) ?? [];
  const title = withCharacters(text).replaceAll(/\s+/g, ' ').trim();
  return title === '' || usual.test(title) ? undefined : title.slice(0, mostCharacters);
}

/** Text of HTML with the characters that its references stand for. Pure. */
export function withCharacters(text: string): string {
  return text.replaceAll(/&(?:#(x?)([\da-f]{1,6})|([a-z]{2,4}));/gi, decoded);
}

const named = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
);

/** The character of a reference; one that is none stays as it is. */
function decoded(reference: string, hex?: string, digits?: string, name?: string): string {
  if (digits === undefined) return named.get(name ?? '') ?? reference;
  const code = Number.parseInt(digits, hex === '' ? 10 : 16);
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : reference;
}
