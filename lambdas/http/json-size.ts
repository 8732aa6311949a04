/** More values than any operation takes. The schemas report every wrong one, which takes far longer than to read it. */
export const maxJsonValues = 60_000;

const [quote, backslash, comma] = Buffer.from('"\\,');
const [openList, openObject] = Buffer.from('[{');
const [closeList, closeObject] = Buffer.from(']}');
/** The last of the characters that JSON calls whitespace (RFC 8259 §2), which are all below any other. */
const [space = 0] = Buffer.from(' ');

/**
 * Whether a JSON text has more fields and items, at all depths together, than `most`. It looks at bytes only: to parse
 * 300,000 names takes a second. For what is no JSON the answer means nothing. Pure.
 */
export function hasTooManyValues(json: Buffer, most = maxJsonValues): boolean {
  let count = 0;
  let isFirst = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte <= space) continue;
    if (byte === comma) count += 1;
    else if (isFirst && byte !== closeList && byte !== closeObject) count += 1;
    isFirst = byte === openList || byte === openObject;
    if (byte === quote) at = endOfText(json, at);
    if (count > most) return true;
  }
  return false;
}

/** The place of the quote that ends the text that begins at `at`. */
function endOfText(json: Buffer, at: number): number {
  let end = at + 1;
  while (end < json.length && json[end] !== quote) end += json[end] === backslash ? 2 : 1;
  return end;
}
