/** A path for matching: decoded segments, and whether it ends with a slash. `/` has no segments. */
export interface RulePath {
  segments: readonly string[];
  slash: boolean;
}

/** The values of a pattern's wildcards in one path, decoded; `*` is called `splat`. */
export type Captures = ReadonlyMap<string, string>;

/** One segment: fixed text, or text around one wildcard (`:name` for a segment, `*` for any number). */
type Part =
  | { kind: 'text'; text: string }
  | { kind: 'name' | 'splat'; name: string; before: string; after: string };

/** A parsed path pattern. A final slash is ignored. */
export interface PathPattern {
  parts: readonly Part[];
  /** The place of the splat; -1 without one. */
  splatAt: number;
}

/** A pattern, or a sentence that describes its error. */
export type PatternReading = { pattern: PathPattern } | { fault: string };

const noCaptures: Captures = new Map();

/** Reads `/blog/:year/*`: at most one wildcard in a segment, one `*` in all, and no name twice. */
export function readPattern(text: string): PatternReading {
  const path = readRulePath(text);
  if (path === undefined)
    return { fault: 'The path must begin with one slash and be a path that a site can have.' };
  const parts = path.segments.map(readPart);
  if (parts.includes(undefined))
    return { fault: 'A segment of the path has more than one wildcard.' };
  const known = parts.filter((part) => part !== undefined);
  const names = known.flatMap((part) => (part.kind === 'text' ? [] : [part.name]));
  if (new Set(names).size < names.length) {
    return { fault: 'The path has more than one `*`, or the same placeholder twice.' };
  }
  return { pattern: { parts: known, splatAt: known.findIndex(({ kind }) => kind === 'splat') } };
}

/** Parses a path of a rule or of a request; `undefined` where it is not valid. */
export function readRulePath(text: string): RulePath | undefined {
  if (!text.startsWith('/')) return undefined;
  const slash = text.endsWith('/');
  const body = text.slice(1, slash && text.length > 1 ? -1 : undefined);
  if (body === '') return text === '/' ? { segments: [], slash: true } : undefined;
  const segments = body.split('/').map(decodeSegment);
  const isWhole = segments.every((segment) => segment !== undefined && segment !== '');
  return isWhole
    ? { segments: segments.filter((segment) => segment !== undefined), slash }
    : undefined;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment).normalize('NFC');
  } catch {
    return undefined;
  }
}

function readPart(segment: string): Part | undefined {
  const wildcards = [...segment.matchAll(/\*|:[A-Za-z]\w{0,63}/g)];
  const [only] = wildcards;
  if (only === undefined) return { kind: 'text', text: segment };
  if (wildcards.length > 1) return undefined;
  const before = segment.slice(0, only.index);
  const after = segment.slice(only.index + only[0].length);
  return only[0] === '*'
    ? { kind: 'splat', name: 'splat', before, after }
    : { kind: 'name', name: only[0].slice(1), before, after };
}

/** Names of the wildcards of a pattern, in order. */
export function wildcardsOf({ parts }: PathPattern): string[] {
  return parts.flatMap((part) => (part.kind === 'text' ? [] : [part.name]));
}

/**
 * The values of a pattern's wildcards in a path; `undefined` if the path does not match.
 *
 * No backtracking: every segment of the path is compared once, for every pattern.
 */
export function matchPattern(
  { parts, splatAt }: PathPattern,
  path: RulePath,
): Captures | undefined {
  const { segments } = path;
  if (splatAt === -1) {
    return parts.length === segments.length ? matchParts(parts, segments, 0) : undefined;
  }
  const tail = parts.slice(splatAt + 1);
  const from = segments.length - tail.length;
  if (from < splatAt) return undefined;
  const head = matchParts(parts.slice(0, splatAt), segments, 0);
  const end = head && matchParts(tail, segments, from);
  const middle = end && matchSplat(parts[splatAt], path, { from: splatAt, to: from });
  return middle === undefined
    ? undefined
    : new Map([...(head ?? []), ...(end ?? []), ['splat', middle]]);
}

function matchParts(
  parts: readonly Part[],
  segments: readonly string[],
  from: number,
): Captures | undefined {
  const captures = new Map<string, string>();
  for (const [index, part] of parts.entries()) {
    const segment = segments[from + index] ?? '';
    if (part.kind === 'text') {
      if (part.text !== segment) return undefined;
      continue;
    }
    const inside = textBetween(part, segment);
    if (inside === undefined || inside === '') return undefined;
    captures.set(part.name, inside);
  }
  return captures.size === 0 ? noCaptures : captures;
}

function matchSplat(
  part: Part | undefined,
  { segments, slash }: RulePath,
  { from, to }: { from: number; to: number },
): string | undefined {
  if (part === undefined || part.kind === 'text') return undefined;
  const inside = textBetween(part, segments.slice(from, to).join('/'));
  if (inside === undefined || inside === '') return inside;
  return slash && to === segments.length && part.after === '' ? `${inside}/` : inside;
}

function textBetween({ before, after }: { before: string; after: string }, text: string) {
  if (text.length < before.length + after.length) return undefined;
  if (!text.startsWith(before) || !text.endsWith(after)) return undefined;
  return text.slice(before.length, text.length - after.length);
}

/** Fills a template such as `/new/:splat` with values, percent-encoded so that each stays one part of the path. */
export function fillTemplate(template: string, captures: Captures): string {
  return template.replace(/:([A-Za-z]\w{0,63})/g, (written, name: string) => {
    const value = captures.get(name);
    return value === undefined ? written : value.split('/').map(encodeURIComponent).join('/');
  });
}

/** Text for a `Location` header: characters other than visible ASCII are percent-encoded, the others stay. */
export function asciiOnly(text: string): string {
  return text.replace(/\p{Cs}/gu, '').replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}
