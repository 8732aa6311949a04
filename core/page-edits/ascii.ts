/**
 * Text for markup, between tags and in quoted attributes: what has a meaning there, and all that is
 * not ASCII, as character references.
 */
export function ascii(text: string): string {
  return text.replaceAll(/[&<>"']|[^\u0020-\u007e]/gu, reference);
}

/** Controls have no character references (WHATWG HTML §13.2.5.80), nor has half a surrogate pair. */
function reference(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x09 || code === 0x0a || code === 0x0d) return ' ';
  const isText = (code >= 0x20 && code < 0x7f) || (code > 0x9f && (code < 0xd800 || code > 0xdfff));
  return `&#${isText ? code : 0xfffd};`;
}
