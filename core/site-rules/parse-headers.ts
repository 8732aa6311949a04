import { readField } from './header-field.ts';
import { readPattern } from './path-pattern.ts';
import { lineFault, linesOf, type Parsed } from './rule-lines.ts';

/** One block of `_headers`: what every answer at a path gets, and what it no longer gets of blocks before. */
export interface HeaderRule {
  line: number;
  path: string;
  /** Names in lowercase, in the order of the file. */
  set: [name: string, value: string][];
  unset: string[];
}

/** Cloudflare Pages takes as many. */
export const maxHeaderRules = 100;
const maxFieldsOfRule = 50;
/** Names and values of one answer; CloudFront passes on 20,480 bytes of all its fields. */
export const maxFieldBytes = 8000;

/** Reads a `_headers` file. Never throws: a line that is wrong is left out and told. */
export function parseHeaders(text: string): Parsed<HeaderRule> {
  const { rules, invalid }: Parsed<HeaderRule> = { rules: [], invalid: [] };
  let above: HeaderRule | 'refused' | undefined;
  for (const { number: line, text: whole } of linesOf(text)) {
    const written = whole.trim();
    const isPath = /^(?:\/|https?:\/\/)/i.test(written);
    const fault =
      lineFault(whole) ?? (isPath ? pathFault(written, rules) : addField(above, written));
    if (fault !== undefined) invalid.push({ line, text: whole, message: fault });
    if (!isPath) continue;
    above = fault === undefined ? { line, path: written, set: [], unset: [] } : 'refused';
    if (above !== 'refused') rules.push(above);
  }
  return { rules: rules.filter(({ set, unset }) => set.length + unset.length > 0), invalid };
}

function pathFault(path: string, rules: readonly HeaderRule[]): string | undefined {
  if (!path.startsWith('/')) return 'Headers of other hosts are not supported: begin with a path.';
  const reading = readPattern(path);
  if ('fault' in reading) return reading.fault;
  return rules.length >= maxHeaderRules ? `At most ${maxHeaderRules} paths are taken.` : undefined;
}

/** Adds a field to the block that it stands in; of a block that is refused one line was told already. */
function addField(above: HeaderRule | 'refused' | undefined, text: string): string | undefined {
  if (above === 'refused') return undefined;
  if (above === undefined) return 'A path that begins with `/` comes first, then its fields.';
  if (above.set.length + above.unset.length >= maxFieldsOfRule) {
    return `At most ${maxFieldsOfRule} fields are taken for one path.`;
  }
  const { name, value, message } = readField(text);
  if (name !== undefined && value === undefined) above.unset.push(name);
  if (name !== undefined && value !== undefined) {
    if (sizeOf([...above.set, [name, value]]) > maxFieldBytes) {
      return `All fields of one answer together have at most ${maxFieldBytes} characters.`;
    }
    above.set.push([name, value]);
  }
  return message;
}

/** How many bytes fields take. */
export function sizeOf(fields: Iterable<readonly [name: string, value: string]>): number {
  let size = 0;
  for (const [name, value] of fields) size += name.length + value.length + 4;
  return size;
}
