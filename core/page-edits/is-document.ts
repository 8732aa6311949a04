/** Comments, and elements whose content is no markup of this page; then what only a whole page has. */
const documentMarkup =
  /<!--(?:-?>|[^]*?(?:-->|$))|<(script|style|template|textarea|svg)(?=[\t\n\f\r />])(?:[^]*?<\/\1|[^]*)|<(!doctype|html|head|body|title)(?=[\t\n\f\r />])/gi;

/**
 * Whether a file has a doctype, or a tag that only whole pages have. Others are fragments, which a script
 * puts into a page. Takes linear time.
 *
 * @param text one character for each byte
 */
export function isDocument(text: string): boolean {
  for (const [, , name] of text.matchAll(documentMarkup)) if (name !== undefined) return true;
  return false;
}
