const maxCharacters = 100;
const unnamed = 'Unnamed app';

/**
 * A client's own name as people may be shown it: one line, without what makes text look like other
 * text (control, bidirectional and invisible characters) or cover the lines around it (piled marks).
 */
export function clientName(sent: unknown): string {
  if (typeof sent !== 'string') return unnamed;
  // A long text is cut first: what strangers send is not searched whole.
  const visible = sent
    .slice(0, 8 * maxCharacters)
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .trim();
  const name = Array.from(visible).slice(0, maxCharacters).join('').trim();
  return name === '' ? unnamed : name;
}
