const relationship = /<(?:[\w-]+:)?Relationship\s[^>]*?(?:\/>|>\s*<\/(?:[\w-]+:)?Relationship>)/g;

/** A part's relationships without those to pictures, sounds and templates elsewhere (ECMA-376, part 2, section 8.5). */
export function withoutForeignParts(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(bytes);
  const kept = text.replace(relationship, (element) =>
    /\sTargetMode\s*=\s*["']External["']/.test(element) && !/\/hyperlink["']/.test(element)
      ? ''
      : element,
  );
  return new TextEncoder().encode(kept);
}
