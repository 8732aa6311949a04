/**
 * Decodes text by its byte order mark, else as UTF-16 or UTF-8 if it is that, else as Shift JIS if it
 * is Japanese, else as Windows-1252, which accepts all bytes.
 *
 * @param cut whether the bytes are truncated, possibly inside a character
 */
export function decodeText(bytes: Uint8Array, cut = false): string {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes);
  return (
    decodeExactly('utf-8', bytes, cut) ??
    japanese(decodeExactly('shift_jis', bytes, cut)) ??
    japanese(decodeExactly('euc-jp', bytes, cut)) ??
    new TextDecoder('windows-1252').decode(bytes)
  );
}

/** UTF-16 has a mark, or, where most characters are Latin, a zero in every second byte. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, 1024);
  const even = start.filter((byte, at) => byte === 0 && at % 2 === 0).length;
  const odd = start.filter((byte, at) => byte === 0 && at % 2 === 1).length;
  if (even + odd <= start.length / 4) return undefined;
  if (even === 0) return 'utf-16le';
  return odd === 0 ? 'utf-16be' : undefined;
}

function decodeExactly(encoding: string, bytes: Uint8Array, cut: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return undefined;
  }
}

/** Japanese has kana everywhere; Latin letters that are taken for Japanese give rare signs. */
function japanese(text: string | undefined): string | undefined {
  const foreign = text?.match(/[^\u0000-\u007F]/g) ?? []; // oxlint-disable-line no-control-regex -- ASCII starts with control characters
  const kana = foreign.filter((character) => /[\u3041-\u30FF]/.test(character));
  return kana.length > 0 && kana.length >= foreign.length / 4 ? text : undefined;
}
