import type { ZipPart } from '../parts/zip-parts.ts';
import { attributeOf, descendantsOf, parseXml } from '../parts/xml-tree.ts';

/**
 * What the author wrote for those who do not see the pictures of the text, in their order (ECMA-376, part 1, sections
 * 20.1.2.2.8 and 20.4.2.5).
 */
export function pictureTexts(parts: readonly ZipPart[]): string[] {
  const story = parts.find(({ path }) => path === 'word/document.xml');
  const xml = new TextDecoder().decode(story?.bytes);
  if (!/\sdescr=/.test(xml)) return [];
  return descendantsOf(parseXml(xml), 'drawing')
    .filter((drawing) => descendantsOf(drawing, 'pic').length > 0)
    .map((drawing) => {
      const named = ['docPr', 'cNvPr'].flatMap((name) => descendantsOf(drawing, name));
      const texts = named.map((element) => attributeOf(element, 'descr') ?? '');
      return texts.find((text) => text !== '') ?? '';
    });
}
