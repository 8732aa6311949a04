import { decodeSegment, encodeSegment } from './path-segment.ts';

/** A path for matching: decoded segments, and whether it ends with a slash. `/` has no segments. */
export interface RulePath {
  segments: readonly string[];
  slash: boolean;
}

/** The values of a pattern's wildcards in one path, decoded; `*` is called `splat`. */
export type Captures = ReadonlyMap<string, string>;

/** One segment: fixed text, or text around one wildcard (`:name` for a segment, `*` for any number). */
type Part = string | Wildcard;

interface Wildcard {
  kind: 'name' | 'splat';
  name: string;
  before: string;
  after: string;
}

/** A parsed path pattern. A final slash is ignored. */
export interface PathPattern {
  parts: readonly Part[];
  /** The place of the splat; -1 without one. */
  splatAt: number;
}

/** A pattern, or a sentence that describes its error. */
export type PatternReading = { pattern: PathPattern; host?: string } | { fault: string };

/** Reads `/blog/:year/*`: at most one wildcard in a segment, one `*` in all, and no name twice. */
export function readPattern(text: string): PatternReading {
  const path = /%(?![0-9a-f]{2})/i.test(text) ? undefined : readRulePath(text);
  if (path === undefined)
    return { fault: 'The path must begin with one slash and be a path that a site can have.' };
  const parts = path.segments.map(readPart);
  if (parts.includes(undefined))
    return { fault: 'A segment of the path has more than one wildcard.' };
  const known = parts.filter((part) => part !== undefined);
  const splatAt = known.findIndex((part) => typeof part !== 'string' && part.kind === 'splat');
  const pattern = { parts: known, splatAt };
  const names = wildcardsOf(pattern);
  return new Set(names).size < names.length
    ? { fault: 'The path has more than one `*`, or the same placeholder twice.' }
    : { pattern };
}

/** A plain name of a host: a rule for any host, or for hosts with a wildcard, is not one. */
const hostName = /^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/;

/**
 * Reads what a redirect is for: a path, or an address of one of the site's own hosts
 * (`https://www.example.com/*`).
 */
export function readAddress(text: string): PatternReading {
  const [, host = '', path = '/'] = /^https?:\/\/([^/]*)(\/.*)?$/i.exec(text) ?? [];
  if (!/^https?:/i.test(text)) return readPattern(text);
  const name = host.toLowerCase();
  if (!hostName.test(name))
    return { fault: 'The host of a rule must be a whole name, without placeholders and port.' };
  const reading = readPattern(path);
  return 'fault' in reading ? reading : { ...reading, host: name };
}

/** Parses a path of a rule or of a request; `undefined` where it is not valid. */
export function readRulePath(text: string): RulePath | undefined {
  if (!text.startsWith('/')) return undefined;
  const slash = text.endsWith('/');
  const body = text.slice(1, slash && text.length > 1 ? -1 : undefined);
  if (body === '') return text === '/' ? { segments: [], slash: true } : undefined;
  const segments = body.split('/').map(decodeSegment);
  return segments.includes('') ? undefined : { segments, slash };
}

function readPart(segment: string): Part | undefined {
  const wildcards = [...segment.matchAll(/\*|:[A-Za-z]\w{0,63}/g)];
  const [only] = wildcards;
  if (only === undefined) return segment;
  if (wildcards.length > 1) return undefined;
  const before = segment.slice(0, only.index);
  const after = segment.slice(only.index + only[0].length);
  return only[0] === '*'
    ? { kind: 'splat', name: 'splat', before, after }
    : { kind: 'name', name: only[0].slice(1), before, after };
}

/** Names of the wildcards of a pattern, in order. */
export function wildcardsOf({ parts }: PathPattern): string[] {
  return parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name]));
}

/**
 * Whether a path matches. No backtracking: every segment of the pattern is compared once, and
 * nothing is allocated.
 */
export function isMatch({ parts, splatAt }: PathPattern, { segments }: RulePath): boolean {
  if (splatAt === -1) {
    return parts.length === segments.length && isEachMatch(parts, segments, { at: 0, from: 0 });
  }
  const tailLength = parts.length - splatAt - 1;
  const end = segments.length - tailLength;
  const splat = parts[splatAt];
  if (end < splatAt || splat === undefined || typeof splat === 'string') return false;
  return (
    isEachMatch(parts, segments, { at: 0, from: 0, count: splatAt }) &&
    isEachMatch(parts, segments, { at: splatAt + 1, from: end }) &&
    isSplatMatch(splat, segments, { from: splatAt, to: end })
  );
}

function isEachMatch(
  parts: readonly Part[],
  segments: readonly string[],
  { at, from, count = parts.length - at }: { at: number; from: number; count?: number },
): boolean {
  for (let index = 0; index < count; index += 1) {
    const part = parts[at + index];
    const segment = segments[from + index] ?? '';
    if (typeof part === 'string' ? part !== segment : !isNameMatch(part, segment)) return false;
  }
  return true;
}

function isNameMatch(part: Wildcard | undefined, segment: string): boolean {
  if (part === undefined || !isAround(part, segment)) return false;
  return segment.length > part.before.length + part.after.length;
}

/** Whether a text begins and ends with the fixed text around a wildcard. */
function isAround({ before, after }: Wildcard, text: string): boolean {
  return (
    text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after)
  );
}

/** The text before a splat is in its first segment, the text after it in its last one. */
function isSplatMatch(
  splat: Wildcard,
  segments: readonly string[],
  { from, to }: { from: number; to: number },
): boolean {
  const first = to === from ? '' : (segments[from] ?? '');
  if (to - from <= 1) return isAround(splat, first);
  return first.startsWith(splat.before) && (segments[to - 1] ?? '').endsWith(splat.after);
}

/** The values of a pattern's wildcards in a path that matches it. */
export function capturesOf({ parts, splatAt }: PathPattern, path: RulePath): Captures {
  const { segments } = path;
  const captures = new Map<string, string>();
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') continue;
    // The splat stands for one segment, and for all segments that the path has more than the
    // pattern.
    const isBehind = splatAt !== -1 && index >= splatAt;
    const at = isBehind ? index + segments.length - parts.length : index;
    captures.set(
      part.name,
      part.kind === 'splat'
        ? splatValue(part, path, { from: index, to: at + 1 })
        : inside(part, segments[at] ?? ''),
    );
  }
  return captures;
}

function splatValue(
  splat: Wildcard,
  { segments, slash }: RulePath,
  { from, to }: { from: number; to: number },
): string {
  const value = inside(splat, segments.slice(from, to).join('/'));
  const isOpen = slash && to === segments.length && splat.after === '';
  return isOpen && value !== '' ? `${value}/` : value;
}

function inside({ before, after }: Wildcard, text: string): string {
  return text.slice(before.length, text.length - after.length);
}

/**
 * Fills a template such as `/new/:splat` with values, percent-encoded so that each stays one part of the
 * path. Each value is encoded once, and nothing is filled in beyond `maxLength`: `undefined` if it is longer.
 */
export function fillTemplate(
  template: string,
  captures: Captures,
  maxLength: number,
): string | undefined {
  const encoded = new Map<string, string>();
  let length = template.length;
  const filled = template.replace(/:([A-Za-z]\w{0,63})/g, (written, name: string) => {
    const value = encoded.get(name) ?? encodePath(captures.get(name));
    if (value === undefined) return written;
    encoded.set(name, value);
    length += value.length - written.length;
    return length > maxLength ? '' : value;
  });
  return length > maxLength ? undefined : filled;
}

function encodePath(value: string | undefined): string | undefined {
  return value?.split('/').map(encodeSegment).join('/');
}

/** Text for a `Location` header: characters other than visible ASCII are percent-encoded, the others stay. */
export function asciiOnly(text: string): string {
  return text.replace(/\p{Cs}/gu, '').replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}
