/** One character of a segment of a pattern; `*` stands for any number of characters. */
type Token =
  | { kind: 'char'; char: string }
  | { kind: 'any' | 'star' }
  | { kind: 'set'; isNegated: boolean; ranges: readonly (readonly [string, string])[] };

/** A segment of a pattern: fixed text, its tokens, or `**` for any number of segments. */
type PatternSegment = { text: string } | { tokens: readonly Token[] } | '**';

interface IgnorePattern {
  /**
   * A pattern for names at any depth has one segment, which is compared with the last segment of a
   * path.
   */
  segments: readonly PatternSegment[];
  isAnywhere: boolean;
  /** `!`: includes paths again that an earlier pattern ignores. */
  isNegated: boolean;
  onlyFolders: boolean;
}

/**
 * Enough for 20,000 files and 100 patterns. A pattern may be hostile: for `*a*a*a*b` the regular
 * expressions of npm `ignore` take 25 s for one name (decision 0137).
 */
const maxSteps = 30_000_000;

/**
 * The paths that a file with the syntax of `.gitignore` ignores; `undefined` if that takes too many
 * steps. As with Git on most computers, upper and lower case are the same. Pure.
 * @see https://git-scm.com/docs/gitignore
 */
export function ignoredPaths(
  text: string,
  paths: readonly string[],
): ReadonlySet<string> | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  // The last pattern that matches decides.
  const patterns = lines.flatMap((line) => readPattern(line.toLowerCase()) ?? []).toReversed();
  const steps = { left: maxSteps };
  const folders = new Map<string, boolean>();
  const isIgnored = (path: string, isFolder: boolean): boolean => {
    const known = isFolder ? folders.get(path) : undefined;
    if (known !== undefined) return known;
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    // A file cannot be included again if one of its folders is ignored.
    const found =
      (parent !== '' && isIgnored(parent, true)) || decide(patterns, { path, isFolder }, steps);
    if (isFolder) folders.set(path, found);
    return found;
  };
  const ignored = new Set(paths.filter((path) => steps.left > 0 && isIgnored(path, false)));
  return steps.left > 0 ? ignored : undefined;
}

function decide(
  patterns: readonly IgnorePattern[],
  { path, isFolder }: { path: string; isFolder: boolean },
  steps: Steps,
): boolean {
  const segments = path.toLowerCase().split('/');
  const name = segments.slice(-1);
  const last = patterns.find(({ segments: pattern, isAnywhere, onlyFolders }) => {
    steps.left -= 1;
    if (onlyFolders && !isFolder) return false;
    return matchesPath(pattern, isAnywhere ? name : segments, steps);
  });
  return last !== undefined && !last.isNegated;
}

function readPattern(line: string): IgnorePattern | undefined {
  const trimmed = withoutFinalSpaces(line);
  if (trimmed === '' || trimmed.startsWith('#')) return undefined;
  const isNegated = trimmed.startsWith('!');
  const written = isNegated ? trimmed.slice(1) : trimmed;
  const onlyFolders = written.endsWith('/');
  const body = onlyFolders ? written.slice(0, -1) : written;
  const parts = (body.startsWith('/') ? body.slice(1) : body).split('/');
  const segments = parts.map(readSegment);
  const known = segments.filter((segment) => segment !== undefined);
  if (known.length < segments.length) return undefined;
  // `a/**` means everything in the folder, but not the folder itself.
  const inside = known.at(-1) === '**' ? [anyName] : [];
  const isAnywhere = !body.includes('/');
  return { segments: [...known, ...inside], isAnywhere, isNegated, onlyFolders };
}

/** Spaces at the end do not count, except one after a backslash. */
function withoutFinalSpaces(line: string): string {
  const trimmed = line.trimEnd();
  const isEscaped = trimmed.length < line.length && trimmed.endsWith('\\');
  return isEscaped ? line.slice(0, trimmed.length + 1) : trimmed;
}

const anyName: PatternSegment = { tokens: [{ kind: 'star' }] };

/** `undefined` for an empty segment, an open bracket, and a backslash at the end. */
function readSegment(text: string): PatternSegment | undefined {
  if (text === '') return undefined;
  if (text === '**') return text;
  if (!/[*?[\\]/.test(text)) return { text };
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const read = readToken(text, at);
    if (read === undefined) return undefined;
    const isRepeated = read.token.kind === 'star' && tokens.at(-1)?.kind === 'star';
    if (!isRepeated) tokens.push(read.token);
    at = read.end;
  }
  return { tokens };
}

/** The token at a place, and the place of its last character. */
function readToken(text: string, at: number): { token: Token; end: number } | undefined {
  const char = text.charAt(at);
  if (char === '*') return { token: { kind: 'star' }, end: at };
  if (char === '?') return { token: { kind: 'any' }, end: at };
  if (char === '[') return readSet(text, at + 1);
  if (char !== '\\') return { token: { kind: 'char', char }, end: at };
  const escaped = text.charAt(at + 1);
  return escaped === '' ? undefined : { token: { kind: 'char', char: escaped }, end: at + 1 };
}

/** A set of characters such as `[!a-z]`, read from the character after its opening bracket. */
function readSet(text: string, from: number): { token: Token; end: number } | undefined {
  const isNegated = text[from] === '!' || text[from] === '^';
  const ranges: (readonly [string, string])[] = [];
  const first = isNegated ? from + 1 : from;
  for (let at = first; at < text.length; at += 1) {
    if (text[at] === ']' && at > first) {
      return { token: { kind: 'set', isNegated, ranges }, end: at };
    }
    if (text[at] === '\\') at += 1;
    const low = text.charAt(at);
    const isRange = text[at + 1] === '-' && (text[at + 2] ?? ']') !== ']';
    if (isRange) at += 2;
    ranges.push([low, text.charAt(at)]);
  }
  return undefined;
}

/** The steps that matching may still take. Nothing matches when none are left. */
interface Steps {
  left: number;
}

/** Backtracks to the last `**` only, so it compares at most every segment with every other one. */
function matchesPath(
  pattern: readonly PatternSegment[],
  segments: readonly string[],
  steps: Steps,
): boolean {
  let [at, index, star, from] = [0, 0, -1, 0];
  while (index < segments.length) {
    steps.left -= 1;
    if (steps.left <= 0) return false;
    const part = pattern[at];
    if (part === '**') {
      star = at;
      from = index;
      at += 1;
    } else if (part !== undefined && matchesSegment(part, segments[index] ?? '', steps)) {
      at += 1;
      index += 1;
    } else if (star === -1) {
      return false;
    } else {
      at = star + 1;
      from += 1;
      index = from;
    }
  }
  return pattern.slice(at).every((part) => part === '**');
}

function matchesSegment(
  segment: Exclude<PatternSegment, '**'>,
  name: string,
  steps: Steps,
): boolean {
  return 'text' in segment ? segment.text === name : matchesTokens(segment.tokens, name, steps);
}

/** The same with `*` for the characters of one segment. */
function matchesTokens(tokens: readonly Token[], name: string, steps: Steps): boolean {
  let [at, index, star, from] = [0, 0, -1, 0];
  while (index < name.length) {
    steps.left -= 1;
    if (steps.left <= 0) return false;
    const token = tokens[at];
    if (token?.kind === 'star') {
      star = at;
      from = index;
      at += 1;
    } else if (token !== undefined && matchesChar(token, name.charAt(index), steps)) {
      at += 1;
      index += 1;
    } else if (star === -1) {
      return false;
    } else {
      at = star + 1;
      from += 1;
      index = from;
    }
  }
  return tokens.slice(at).every(({ kind }) => kind === 'star');
}

function matchesChar(token: Token, char: string, steps: Steps): boolean {
  if (token.kind === 'char') return token.char === char;
  if (token.kind !== 'set') return true;
  steps.left -= token.ranges.length;
  const isIn = token.ranges.some(([low, high]) => low <= char && char <= high);
  return isIn !== token.isNegated;
}
