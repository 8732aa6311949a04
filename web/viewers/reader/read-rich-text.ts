import { richTextMarkup } from '../../text/records/rich-text-markup.ts';
import { withDigits } from '../../text/records/rich-text-pictures.ts';

const latin = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);

export function isRichText(bytes: Uint8Array): boolean {
  return /^\s*\{\\rtf/.test(latin(bytes.subarray(0, 2000)));
}

/** An RTF as a page in XML. */
export function richTextAsXml(bytes: Uint8Array): string {
  const markup = richTextMarkup(latin(withDigits(bytes)), true, () => true) ?? '';
  return markup.replaceAll(/<(?:br|img [^<>]*)/g, '$&/');
}
