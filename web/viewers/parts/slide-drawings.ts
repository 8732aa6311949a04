/** Records of a drawing are looked through up to here. */
const mostRecords = 10_000;
const bitmapRecord = 81;

/**
 * Labelled boxes in the place of drawings of Windows, for which the renderer draws nothing or a broken picture.
 * @param relations those of the slide
 * @param bytesAt the part of a path relative to the slide
 */
export function withDrawingBoxes(
  pictures: RegExp,
  xml: string,
  { relations, bytesAt }: { relations: string; bytesAt: (path: string) => Uint8Array | undefined },
): string {
  if (!/\.[ew]mf"/i.test(relations)) return xml;
  return xml.replace(pictures, (picture) => {
    const [, id] = /<a:blip\s[^>]*?r:embed="([^"]+)"/.exec(picture) ?? [];
    const [relation = ''] =
      relations.match(new RegExp(`<Relationship\\s[^>]*\\bId="${id}"[^>]*>`)) ?? [];
    const [, path = '', kind] = /\sTarget="([^"]*\.([ew]mf))"/i.exec(relation) ?? [];
    if (kind === undefined || /svgBlip/.test(picture) || isBitmap(bytesAt(path))) return picture;
    const place = /<a:xfrm[^]*?<\/a:xfrm>/.exec(picture)?.[0] ?? '';
    const text = `<a:p><a:pPr algn="ctr"/><a:r><a:rPr sz="1200"/><a:t>Drawing (${kind.toUpperCase()})</a:t></a:r></a:p>`;
    return `<p:sp><p:nvSpPr><p:cNvPr id="0" name=""/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>${place}<a:prstGeom prst="rect"/><a:ln w="9525"><a:solidFill><a:srgbClr val="777777"/></a:solidFill><a:prstDash val="dash"/></a:ln></p:spPr><p:txBody><a:bodyPr anchor="ctr"/>${text}</p:txBody></p:sp>`;
  });
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
