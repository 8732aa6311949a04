/** SVG and MathML elements that contain other such elements; browsers read no HTML in them. */
const drawingElements = new Set(
  'svg g path circle rect ellipse line polyline polygon text tspan defs use symbol mask clippath lineargradient radialgradient stop title'.split(
    ' ',
  ),
);

/**
 * Whether the page has a title below its head, where browsers accept it too. The `<title>` of an
 * SVG drawing does not count. In doubt the result is true, and the page stays unchanged: anything
 * unusual in a drawing counts as its end, and text that only looks like a title counts as one, for
 * example in a script.
 *
 * @param text one character for each byte
 * @param start where the head ends
 */
export function hasTitleInBody(text: string, start: number): boolean {
  let drawings = 0;
  for (const [token, slash = '', written = ''] of text
    .slice(start)
    .matchAll(/<(\/?)([a-z][^\t\n\f\r />]*)|-->/gi)) {
    const name = written.toLowerCase();
    if (name === 'title' && slash === '' && drawings === 0) return true;
    if (token === '-->' || !drawingElements.has(name)) drawings = 0;
    else if (name === 'svg') drawings = Math.max(0, drawings + (slash === '' ? 1 : -1));
  }
  return false;
}
