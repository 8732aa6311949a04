import type { Picked, PickedFile } from './picked.ts';

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
  const head = (await homePage(files, home)?.file.slice(0, readBytes).text()) ?? '';
  const title = titleIn(head);
  return title === '' || usual.test(title) ? undefined : title.slice(0, mostCharacters);
}

/** The page that opens first: the one that somebody chose, or the index nearest to the top, or the first. */
export function homePage(files: readonly PickedFile[], home?: string): PickedFile | undefined {
  const pages = files.filter(({ path }) => /\.html?$/i.test(path));
  const depth = (path: string) => path.split('/').length;
  const [index] = pages
    .filter(({ path }) => /(?:^|\/)index\.html?$/i.test(path))
    .toSorted((a, b) => depth(a.path) - depth(b.path));
  return pages.find(({ path }) => path === home) ?? index ?? pages[0];
}

/** Read as text: a parser of the browser is refused by `require-trusted-types-for`. */
function titleIn(head: string): string {
  const shown = head.replaceAll(/<!--.*?(?:-->|$)/gs, '');
  const [, text = ''] = /<title\b[^>]*>([^<]*)<\/title/i.exec(shown) ?? [];
  return withCharacters(text).replaceAll(/\s+/g, ' ').trim();
}

/** Text of HTML with the characters that its references stand for. Pure. */
function withCharacters(text: string): string {
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

/** The words of a page, read as text too. Pure. */
export function linesOfPage(html: string): string[] {
  return (
    html
      .replaceAll(/<!--.*?(?:-->|$)|<(script|style|template|svg)\b.*?(?:<\/\1\s*>|$)/gis, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(
        /<\/?(?:p|h\d|li|div|br|tr|section|title|header|nav|main|ul|ol|table)\b[^>]*>/gi,
        '\n',
      )
      .replaceAll(/<[^>]*(?:>|$)/g, '')
      .split('\n')
      .map((line) => withCharacters(line).trim())
      .filter((line) => line !== '')
      // Many pages begin with their title.
      .filter((line, index, all) => line !== all[index - 1])
  );
}
