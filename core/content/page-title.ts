import { notInTitles } from '../../contract/limits.ts';

/** Of a page, this much is read for its title: that is in the head, which is far shorter. */
export const titleBytes = 64 * 1024;
/** As many characters as a title may have. */
const mostCharacters = 255;
/** What editors and templates write, and nobody chose. */
const usual =
  /^(?:document|untitled|title|index|home|(?:vite|react|vue|next)(?:\.js)?\b.*app|vite \+ \w+)$/i;

/** A tag has no other in it, so each part of a page is looked at once. */
const titleTag = /<title(?:\s[^<>]*)?>([^<]*)<\/title/i;
/** References make a title longer than what it shows. */
const mostWritten = 8 * mostCharacters;

/**
 * The `<title>` of a page, from its beginning; undefined if it has none that somebody chose, none that a title may be,
 * or one in another encoding than UTF-8. Takes time in proportion to the length. Pure.
 * Read as text: the web app refuses itself the parser of the browser (`require-trusted-types-for`).
 */
export function chosenTitle(head: string): string | undefined {
  const shown = head.replaceAll(/<!--.*?(?:-->|$)/gs, '');
  const [, text = ''] = titleTag.exec(shown) ?? [];
  const title = withCharacters(text.slice(0, mostWritten))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, mostCharacters)
    // Not between the halves of a character.
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
  const isNone = title === '' || title.includes('\u{FFFD}');
  return isNone || usual.test(title) || notInTitles.test(title) ? undefined : title;
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
  const isHalf = code >= 0xd8_00 && code <= 0xdf_ff;
  return code > 0 && code <= 0x10_ff_ff && !isHalf ? String.fromCodePoint(code) : reference;
}
