import { relationshipsIn } from './zip-parts.ts';

/** Records of a drawing are looked through up to here. */
const mostRecords = 10_000;
const bitmapRecord = 81;

/**
 * Labelled boxes in the place of drawings of Windows, for which the renderer draws nothing or a broken picture.
 * @param relationships those of the slide
 * @param bytesAt the part of a path relative to the slide
 */
export function withDrawingBoxes(
  pictures: RegExp,
  xml: string,
  {
    relationships,
    bytesAt,
  }: {
    relationships: Uint8Array | undefined;
    bytesAt: (path: string) => Uint8Array | undefined;
  },
): string {
  const drawings = new Map(
    relationshipsIn(relationships)
      .filter(({ target }) => /\.[ew]mf$/i.test(target))
      .map(({ id, target }) => [id, target]),
  );
  if (drawings.size === 0) return xml;
  const areBitmaps = new Map<string, boolean>();
  return xml.replace(pictures, (picture) => {
    const [, id = ''] = /<a:blip\s[^<>]*?r:embed="([^"<>]+)"/.exec(picture) ?? [];
    const path = drawings.get(id);
    if (path === undefined || picture.includes('svgBlip')) return picture;
    const isShown = areBitmaps.get(path) ?? isBitmap(bytesAt(path));
    areBitmaps.set(path, isShown);
    if (isShown) return picture;
    const kind = path.slice(-3);
    const place = placeIn(picture);
    const text = `<a:p><a:pPr algn="ctr"/><a:r><a:rPr sz="1200"/><a:t>Drawing (${kind.toUpperCase()})</a:t></a:r></a:p>`;
    return `<p:sp><p:nvSpPr><p:cNvPr id="0" name=""/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>${place}<a:prstGeom prst="rect"/><a:ln w="9525"><a:solidFill><a:srgbClr val="777777"/></a:solidFill><a:prstDash val="dash"/></a:ln></p:spPr><p:txBody><a:bodyPr anchor="ctr"/>${text}</p:txBody></p:sp>`;
  });
}

function placeIn(picture: string): string {
  const end = '</a:xfrm>';
  const from = picture.indexOf('<a:xfrm');
  const until = picture.indexOf(end, from);
  return from === -1 || until === -1 ? '' : picture.slice(from, until + end.length);
}

/** Whether a drawing is a picture in points, which the renderer shows ([MS-EMF], section 2.3.1.7). */
function isBitmap(emf: Uint8Array | undefined): boolean {
  if (emf === undefined) return false;
  const view = new DataView(emf.buffer, emf.byteOffset, emf.byteLength);
  for (let at = 0, left = mostRecords; at + 8 <= emf.length && left > 0; left -= 1) {
    if (view.getUint32(at, true) === bitmapRecord) return true;
    at += Math.max(8, view.getUint32(at + 4, true));
  }
  return false;
}
