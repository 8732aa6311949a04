import { isMatch, readPattern, wildcardsOf } from './path-pattern.ts';
import { firstLines, type Line, lineFault, type ParsedRules } from './rules-file.ts';
import { readSiteField, type SiteFieldReading } from './site-fields.ts';
import {
  type HeaderRule,
  maxFieldBytes,
  type ResponseFields,
  responseFields,
} from './site-rules.ts';

/** The same limit as Cloudflare Pages. */
export const maxHeaderRules = 100;
const maxFieldsOfRule = 50;

/** The block being read: its rule, and the headers that every response at its path will have. */
interface Block {
  rule: HeaderRule;
  sent: ResponseFields;
}

/**
 * Reads the lines of a `_headers` file, and lines of the same form that other files say. Never throws: an
 * invalid line is left out and reported.
 */
export function parseHeaders(lines: Iterable<Line>): ParsedRules<HeaderRule> {
  const { rules, invalid }: ParsedRules<HeaderRule> = { rules: [], invalid: [] };
  let above: Block | 'refused' | undefined;
  for (const read of firstLines(lines)) {
    const { number: line, text: whole, file } = read;
    const written = whole.trim();
    const isPath = /^(?:\/|https?:\/\/)/i.test(written);
    const unreadable = lineFault(read);
    const block = isPath && unreadable === undefined ? readBlock(written, line, rules) : undefined;
    const fault = unreadable ?? (isPath ? faultOf(block) : addField(above, written));
    if (fault !== undefined) invalid.push({ file, line, text: whole, message: fault });
    if (!isPath) continue;
    above = block === undefined || typeof block === 'string' ? 'refused' : block;
    if (above === 'refused') continue;
    if (file !== undefined) above.rule.file = file;
    rules.push(above.rule);
  }
  return { rules: rules.filter(({ set, unset }) => set.length + unset.length > 0), invalid };
}

function faultOf(block: Block | string | undefined): string | undefined {
  return typeof block === 'string' ? block : undefined;
}

/** The beginning of a block, or the error in its path. */
function readBlock(path: string, line: number, rules: readonly HeaderRule[]): Block | string {
  if (!path.startsWith('/')) return 'Headers for other hosts are not supported: begin with a path.';
  const reading = readPattern(path);
  if ('fault' in reading) return reading.fault;
  if (rules.length >= maxHeaderRules) return `At most ${maxHeaderRules} paths are allowed.`;
  const rule: HeaderRule = { line, path, set: [], unset: [], pattern: reading.pattern };
  const sent = responseFields();
  for (const earlier of rules.filter((one) => coversAll(one, rule))) {
    for (const name of earlier.unset) sent.remove(name);
    for (const [name, value] of earlier.set) sent.add(name, value);
  }
  return { rule, sent };
}

/** Whether an earlier block applies wherever this one does, as far as their paths tell without comparing wildcards. */
function coversAll(earlier: HeaderRule, { path, pattern }: HeaderRule): boolean {
  if (earlier.path === path || earlier.path === '/*') return true;
  const segments = pattern.parts.filter((part) => typeof part === 'string');
  if (segments.length < pattern.parts.length) return false;
  return isMatch(earlier.pattern, { segments, slash: false });
}

/** Adds a header to its block. A refused block is reported only once, at its path. */
function addField(above: Block | 'refused' | undefined, text: string): string | undefined {
  if (above === 'refused') return undefined;
  if (above === undefined) return 'A path that begins with `/` must come before its headers.';
  const { rule, sent } = above;
  if (rule.set.length + rule.unset.length >= maxFieldsOfRule) {
    return `At most ${maxFieldsOfRule} headers are allowed for one path.`;
  }
  const { name, value, message } = readField(text);
  const placeholders = placeholdersOf(value);
  const used = wildcardsOf(rule.pattern).find((one) => placeholders.has(one));
  if (used !== undefined) return `A value cannot contain the placeholder :${used.slice(0, 40)}.`;
  if (name !== undefined && value === undefined) {
    rule.unset.push(name);
    sent.remove(name);
  }
  if (name !== undefined && value !== undefined) {
    if (!sent.add(name, value)) {
      return `All headers of one response together can have at most ${maxFieldBytes} characters.`;
    }
    rule.set.push([name, value]);
  }
  return message;
}

/** The names in a value that may be wildcards of its path: other hosts replace them, and we would send them unchanged. */
function placeholdersOf(value: string | undefined): ReadonlySet<string | undefined> {
  return new Set(Array.from((value ?? '').matchAll(/:([A-Za-z]\w{0,63})/g), ([, name]) => name));
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
