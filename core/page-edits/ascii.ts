/**
 * Escapes text for HTML, between tags and in quoted attributes. Special characters, and all that are
 * not ASCII, become character references.
 */
export function escapeToAscii(text: string): string {
  return text.replaceAll(/[&<>"']|[^\u0020-\u007e]/gu, reference);
}

/** Control characters and lone surrogates have no character references (WHATWG HTML §13.2.5.80). */
function reference(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x09 || code === 0x0a || code === 0x0d) return ' ';
  const isText = (code >= 0x20 && code < 0x7f) || (code > 0x9f && (code < 0xd800 || code > 0xdfff));
  return `&#${isText ? code : 0xfffd};`;
}
