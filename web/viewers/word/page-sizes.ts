/** Where a document says nothing, Word sets pages of US Letter with margins of an inch, in twentieths of a point. */
const letter: Readonly<Record<string, string>> = {
  pgSz: '<w:pgSz w:w="12240" w:h="15840"/>',
  pgMar:
    '<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/>',
};

/**
 * A main document whose sections all have a size and margins (ECMA-376, part 1, sections 17.6.11 and 17.6.13):
 * converters leave them to the program, and without them a page would be as narrow as its text.
 */
export function withPageSizes(xml: string): string {
  const prefix = /<((?:\w+:)?)body[\s>]/.exec(xml)?.[1];
  if (prefix === undefined) return xml;
  const bodyEnd = xml.lastIndexOf(`</${prefix}body>`);
  if (bodyEnd === -1) return xml;
  const section = `${prefix}sectPr`;
  const isSized = new RegExp(`(?:</${section}>|<${section}[^<>]*/>)\\s*$`).test(
    xml.slice(Math.max(0, bodyEnd - 2000), bodyEnd),
  );
  const sections = isSized ? xml : `${xml.slice(0, bodyEnd)}<${section}/>${xml.slice(bodyEnd)}`;
  let sized = '';
  let at = 0;
  for (const start of sections.matchAll(new RegExp(`<${section}(?:[\\s/][^<>]*)?>`, 'g'))) {
    const from = start.index + start[0].length;
    // A section of earlier is inside of its successor.
    if (start.index < at) continue;
    const isEmpty = start[0].endsWith('/>');
    const end = isEmpty ? from : sections.indexOf(`</${section}>`, from);
    if (end === -1) break;
    const content = sections.slice(from, end);
    const added = Object.keys(letter)
      .filter((name) => !content.includes(`<${prefix}${name}`))
      .map((name) => letter[name]?.replaceAll('w:', prefix))
      .join('');
    sized += sections.slice(at, start.index);
    sized += isEmpty
      ? `${start[0].slice(0, -2)}>${added}</${section}>`
      : start[0] + content + added;
    at = end;
  }
  return sized + sections.slice(at);
}
