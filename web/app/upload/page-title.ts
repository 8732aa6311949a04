import { chosenTitle, titleBytes, withCharacters } from '../../../core/content/page-title.ts';
import type { Picked, PickedFile } from './picked.ts';

/**
 * The `<title>` of the page that opens first; undefined if it has none that somebody chose, or is in a ZIP.
 * @param home its path, if somebody chose it
 */
export async function pageTitle(
  { files }: Pick<Picked, 'files'>,
  home?: string,
): Promise<string | undefined> {
  const head = (await homePage(files, home)?.file.slice(0, titleBytes).text()) ?? '';
  return chosenTitle(head);
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
