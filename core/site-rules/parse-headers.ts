import { readPattern } from './path-pattern.ts';
import { lineFault, linesOf, type ParsedRules } from './rules-file.ts';
import { readSiteField, type SiteFieldReading } from './site-fields.ts';
import { type HeaderRule, maxFieldBytes, sizeOf } from './site-rules.ts';

/** The same limit as Cloudflare Pages. */
export const maxHeaderRules = 100;
const maxFieldsOfRule = 50;

/** Reads a `_headers` file. Never throws: an invalid line is left out and reported. */
export function parseHeaders(text: string): ParsedRules<HeaderRule> {
  const { rules, invalid }: ParsedRules<HeaderRule> = { rules: [], invalid: [] };
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
  if (!path.startsWith('/')) return 'Headers for other hosts are not supported: begin with a path.';
  const reading = readPattern(path);
  if ('fault' in reading) return reading.fault;
  return rules.length >= maxHeaderRules
    ? `At most ${maxHeaderRules} paths are allowed.`
    : undefined;
}

/** Adds a header to its block. A refused block is reported only once, at its path. */
function addField(above: HeaderRule | 'refused' | undefined, text: string): string | undefined {
  if (above === 'refused') return undefined;
  if (above === undefined) return 'A path that begins with `/` must come before its headers.';
  if (above.set.length + above.unset.length >= maxFieldsOfRule) {
    return `At most ${maxFieldsOfRule} headers are allowed for one path.`;
  }
  const { name, value, message } = readField(text);
  if (name !== undefined && value === undefined) above.unset.push(name);
  if (name !== undefined && value !== undefined) {
    if (sizeOf([...above.set, [name, value]]) > maxFieldBytes) {
      return `All headers of one response together can have at most ${maxFieldBytes} characters.`;
    }
    above.set.push([name, value]);
  }
  return message;
}

/** A field name (RFC 9110 §5.1), in lowercase. */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/;

/** One line below a path: a header, a removal (without value), or neither; and a warning about it. */
interface FieldReading extends SiteFieldReading {
  name?: string;
}

/** Reads `Name: value` or `! Name`. */
function readField(text: string): FieldReading {
  if (text.startsWith('!')) return readRemoval(text.slice(1).trim().toLowerCase());
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(0, colon)).trim().toLowerCase();
  const value = text.slice(colon + 1).trim();
  if (!token.test(name))
    return { message: 'Write a path that begins with `/`, or a header as `Name: value`.' };
  const read = readSiteField(name, value);
  return { ...(read.value !== undefined && { name }), ...read };
}

function readRemoval(name: string): FieldReading {
  return token.test(name) ? { name } : { message: 'Write the removal of a header as `! Name`.' };
}
