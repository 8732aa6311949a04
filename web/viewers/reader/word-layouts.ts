import type { ParagraphLook } from './word-blocks.ts';

type TableLook = Pick<ParagraphLook, 'isInTable' | 'endsRow' | 'list'>;

/** How a page of properties says what a paragraph is. */
export interface ParagraphMarks {
  /** What the page has for each paragraph beside its end: a place, and what the last layout of its lines was. */
  entryBytes: number;
  tableLookOf(properties: Uint8Array<ArrayBuffer>): TableLook;
}

/** Lengths of operands by the three highest bits of a property's number ([MS-DOC], section 2.2.5.1). */
const operandBytes = [1, 1, 2, 4, 2, 2, 0, 3];

/** Word 97 to 2003. */
export const marksOf97: ParagraphMarks = {
  entryBytes: 13,
  tableLookOf(properties) {
    const view = new DataView(properties.buffer, properties.byteOffset, properties.byteLength);
    const look = { isInTable: false, endsRow: false, list: { isIn: false, level: 0 } };
    for (let at = 0; at + 2 < properties.length; ) {
      const name = view.getUint16(at, true);
      const isOn = properties[at + 2] === 1;
      if (name === 0x2416) look.isInTable = isOn;
      if (name === 0x2417) look.endsRow = isOn;
      if (name === 0x460b && at + 4 <= properties.length)
        look.list.isIn = view.getUint16(at + 2, true) !== 0;
      if (name === 0x260a) look.list.level = properties[at + 2] ?? 0;
      const fixed = operandBytes[name >> 13] ?? 0;
      at += 2 + (fixed || 1 + (properties[at + 2] ?? 0));
    }
    return look;
  },
};

/** Lengths of operands by the number of a property, up to those of tables; 0 where the operand begins with it. */
const oldOperandBytes = [
  0, 0, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 2, 2, 2, 2, 4, 2, 2, 0, 1, 1,
];
const [inTable, rowEnd] = [24, 25];

/** Word 6 and 95, whose properties have numbers of one byte; they are in the order of their numbers. */
export const marksOf95: ParagraphMarks = {
  entryBytes: 7,
  tableLookOf(properties) {
    const look = { isInTable: false, endsRow: false };
    for (let at = 0; at + 1 < properties.length; ) {
      const name = properties[at] ?? 0;
      const fixed = oldOperandBytes[name];
      if (fixed === undefined) break;
      const isOn = properties[at + 1] === 1;
      if (name === inTable) look.isInTable = isOn;
      if (name === rowEnd) look.endsRow = isOn;
      at += 1 + (fixed || 1 + (properties[at + 1] ?? 0));
    }
    return look;
  },
};

/** Languages of Windows ([MS-LCID]) whose letters are in another code page than those of Western Europe. */
const codePages: readonly (readonly [codePage: number, languages: readonly number[]])[] = [
  [1250, [0x405, 0x40e, 0x415, 0x418, 0x41a, 0x41b, 0x41c, 0x424]],
  [1251, [0x402, 0x419, 0x422, 0x423, 0x42f, 0xc1a]],
  [1253, [0x408]],
  [1254, [0x41f]],
  [1255, [0x40d]],
  [1256, [0x401, 0x429]],
  [1257, [0x425, 0x426, 0x427]],
];

/** The encoding of a file of Word 6 or 95: that of its language, or of a Mac. */
export function encodingOf(header: DataView): string {
  if (header.getUint16(0x14, true) === 256) return 'macintosh';
  const language = header.getUint16(6, true);
  const page = codePages.find(([, languages]) => languages.includes(language))?.[0] ?? 1252;
  return `windows-${page}`;
}
