import type { Picked } from './picked.ts';

/** The title is in the head, which is far shorter. */
const readBytes = 64 * 1024;
/** As many characters as a title may have. */
const mostCharacters = 255;
/** What editors and templates write, and nobody chose. */
const usual =
  /^(?:document|untitled|title|index|home|(?:vite|react|vue|next)(?:\.js)?\b.*app|vite \+ \w+)$/i;

/**
 * The `<title>` of the page that opens first; undefined if it has none that somebody chose, or is in a ZIP.
 * @param home its path, if somebody chose it
 */
export async function pageTitle(
  { files }: Pick<Picked, 'files'>,
  home?: string,
): Promise<string | undefined> {
  const pages = files.filter(({ path }) => /\.html?$/i.test(path));
  const depth = (path: string) => path.split('/').length;
  const [index] = pages
    .filter(({ path }) => /(?:^|\/)index\.html?$/i.test(path))
    .toSorted((a, b) => depth(a.path) - depth(b.path));
  const page = pages.find(({ path }) => path === home) ?? index ?? pages[0];
  const head = (await page?.file.slice(0, readBytes).text()) ?? '';
  const title = titleIn(head);
  return title === '' || usual.test(title) ? undefined : title.slice(0, mostCharacters);
}

/** Read as text: a parser of the browser is refused by `require-trusted-types-for`. */
function titleIn(head: string): string {
  const shown = head.replaceAll(/<!--.*?(?:-->|$)/gs, '');
  const [, text = ''] = /<title\b[^>]*>([^<]*)<\/title/i.exec(shown) ?? [];
  return text
    .replaceAll(/&(?:#(x?)([\da-f]{1,6})|([a-z]{2,4}));/gi, decoded)
    .replaceAll(/\s+/g, ' ')
    .trim();
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
