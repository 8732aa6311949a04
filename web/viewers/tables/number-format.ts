import { SSF } from '@e965/xlsx';

/** What a number format is: a few letters that stand for themselves around digits, or around a date. */
const digits = /[#0?](?:[#0?,. ]*[#0?])?(?:E[+-]0+)?,*/;
/** Texts in quotes, escaped characters, space as wide as a character, and filling. */
const literal = /\[[^\]]*\]|"[^"]*"|\\[^]|_[^]|\*[^]/g;
/** Excel takes 255. */
const mostCharacters = 1000;
/** Names of parts of a date in programs in German, which some write into files. */
const german: readonly (readonly [RegExp, string])[] = [
  [/JJJJ/g, 'yyyy'],
  [/JJ/g, 'yy'],
  [/TT/g, 'dd'],
  [/\bT\b/g, 'd'],
];

/**
 * A number as its format shows it (ECMA-376, part 1, section 18.8.31), in the cases that the library refuses;
 * a format that says nothing gives the number itself. The short date of the system is in the reader's form.
 * @param is1904 whether days count from 1904
 */
export function formatNumber(value: number, format: string, is1904 = false): string {
  if (format === 'm/d/yy') return shortDate(value, is1904);
  if (format.length > mostCharacters) return String(value);
  const { section, isNegative } = sectionFor(value, format);
  const known = german.reduce((text, [name, usual]) => text.replace(name, usual), section);
  const bare = known.replace(/\[(?:[hms]+)\]/gi, 'h').replace(literal, '');
  const date = { date1904: is1904 };
  if (/[dmyhs]/i.test(bare) && !/[#0?]/.test(bare.replace(/s\.0+/g, ''))) {
    return tryFormat(withQuotedMarks(known), value, date) ?? shortDate(value, is1904);
  }
  return formatDigits(isNegative ? -value : value, known) ?? String(value);
}

/** Formats have one section for positive numbers, one for negative ones, and one for zero. */
function sectionFor(value: number, format: string): { section: string; isNegative: boolean } {
  const sections = format.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  const isNegative = value < 0 && sections.length > 1;
  const zero = value === 0 ? sections[2] : undefined;
  return { section: zero ?? sections[isNegative ? 1 : 0] ?? '', isNegative };
}

/** Points between the parts of a date are points; fractions of a second follow the seconds. */
function withQuotedMarks(section: string): string {
  return section
    .replace(/^\[\$-[^\]]*\]/, '')
    .replace(
      /("[^"]*"|\\.)|(s\.0+)|a\.m\.\/p\.m\.|([^\w\s"\\[\]/:@;])/gi,
      (mark, text, seconds, other) => {
        if (/^a\.m\./i.test(mark)) return 'AM/PM';
        return text ?? seconds ?? `\\${String(other)}`;
      },
    );
}

/** The number in the section's digits, and around it what the section says. */
function formatDigits(value: number, section: string): string | undefined {
  const found = digits.exec(section.replace(literal, (text) => '\u0001'.repeat(text.length)));
  if (found === null) return undefined;
  const [pattern] = found;
  const before = section.slice(0, found.index);
  const after = section.slice(found.index + pattern.length);
  const percents = (before + after).replace(/"[^"]*"/g, '').match(/%/g)?.length ?? 0;
  const scaled = value * 100 ** percents;
  const number = pattern.startsWith('#,##,')
    ? indian(scaled, pattern)
    : (tryFormat(pattern, scaled) ?? tryFormat('#,##0', scaled));
  return number === undefined ? undefined : written(before) + number + written(after);
}

/** Groups of two digits above the thousands. */
function indian(value: number, pattern: string): string {
  const places = /\.([0#?]*)/.exec(pattern)?.[1]?.length ?? 0;
  const fraction = { minimumFractionDigits: places, maximumFractionDigits: places };
  return new Intl.NumberFormat('en-IN', fraction).format(value);
}

/** What stands around the digits, as it is read. */
function written(text: string): string {
  return text
    .replace(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, '$1')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/"([^"]*)"|\\([^])|_[^]|\*[^]/g, (_, quoted, escaped) =>
      String(quoted ?? escaped ?? ''),
    );
}

function tryFormat(format: string, value: number, options = {}): string | undefined {
  try {
    return SSF.format(format, value, options);
  } catch {
    return undefined;
  }
}

const dayMs = 86_400_000;

function shortDate(value: number, is1904: boolean): string {
  const serial = is1904 ? value + 1462 : value;
  // Excel counts a 29 February 1900, which never was (ECMA-376, part 1, section 18.17.4.1).
  const date = new Date((serial - (serial < 60 ? 25_568 : 25_569)) * dayMs);
  return Number.isNaN(date.getTime())
    ? String(value)
    : new Intl.DateTimeFormat(undefined, { timeZone: 'UTC' }).format(date);
}
