import { maxLineLength } from '../rules-file.ts';

/** A path of another host's rule in the form of our own. */
export interface SourcePath {
  path: string;
  /** A target of the same rule, with our placeholders. */
  target: (destination: string) => string;
}

/** A piece of a path: text, any number of segments, one segment or a part of it, or one of some words. */
type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'splat'; name: string | undefined; before?: string }
  | { kind: 'part'; name: string | undefined }
  | { kind: 'choice'; words: readonly string[]; name: string | undefined };

/** The pieces that one host knows, by patterns that are tried in this order. */
type Grammar = readonly (readonly [RegExp, (found: RegExpExecArray) => Piece])[];

const text =
  (group: number) =>
  (found: RegExpExecArray): Piece => ({ kind: 'text', text: found[group] ?? '' });
const splat = ([, name]: RegExpExecArray): Piece => ({ kind: 'splat', name });
const part = ([, name]: RegExpExecArray): Piece => ({ kind: 'part', name });
const choice =
  (separator: string) =>
  ([, name, words = '']: RegExpExecArray): Piece => ({
    kind: 'choice',
    words: words.split(separator),
    name,
  });

const plain = /(?:[\w\-~%/$&',;= ]|@(?!\()|\.(?!\*))+/y;

/**
 * Paths of Vercel, which are those of path-to-regexp 6: `:name`, `:name*`, `(.*)`, `(a|b)`, `\\.`. `routes`
 * also have `.*` without brackets.
 */
export const vercelPaths: Grammar = [
  [/(?:\(\/\)|\{\/\}|\/)\?$/y, text(1)],
  [/\\([^\w*:])/y, text(1)],
  [/(?::([A-Za-z]\w{0,63}))?\(\.\*\)/y, splat],
  [/:([A-Za-z]\w{0,63})\*/y, splat],
  [/()\.\*/y, splat],
  [/(?::([A-Za-z]\w{0,63}))?\(\[\^\/\]\+\)/y, part],
  [/(?::([A-Za-z]\w{0,63}))?\((?:\?:)?([\w.-]+(?:\|[\w.-]+)*)\)/y, choice('|')],
  [/:([A-Za-z]\w{0,63})(?![\w(*+?{])/y, part],
  [plain, text(0)],
];

/** Globs of Firebase: `**` and `:name*` are any number of segments, `*` is a part of one. */
export const firebasePaths: Grammar = [
  [/\{,\/\*\*\}/y, () => ({ kind: 'splat', name: undefined, before: '/' })],
  [/:([A-Za-z]\w{0,63})\*/y, splat],
  [/()\*\*\/\*(?=[.\w]|$)/y, splat],
  [/()\*\*/y, splat],
  [/:([A-Za-z]\w{0,63})(?![\w*(])/y, part],
  [/\*/y, part],
  [/()@\(([\w.-]+(?:\|[\w.-]+)*)\)/y, choice('|')],
  [/()\{([\w.-]+(?:,[\w.-]+)*)\}/y, choice(',')],
  [plain, text(0)],
];

/** The words of all choices together make at most this many rules. */
const maxPaths = 40;

/** Twice the segments that a path of a site has, each with a text and a group. */
const maxPieces = 128;

/** The same as paths of ours, one for each choice of words; undefined where our rules cannot say it. */
export function readSourcePaths(source: string, grammar: Grammar): SourcePath[] | undefined {
  // The rule would be a longer line than is read.
  const pieces = source.length > maxLineLength ? undefined : readPieces(source, grammar);
  if (pieces === undefined || pieces.filter(({ kind }) => kind === 'splat').length > 1)
    return undefined;
  let written: Written[] = [{ path: '', last: undefined }];
  for (const [index, piece] of pieces.entries()) {
    const group = pieces.slice(0, index + 1).filter(({ kind }) => kind !== 'text').length;
    const count = written.length * (piece.kind === 'choice' ? piece.words.length : 1);
    if (count > maxPaths) return undefined;
    const next = written.flatMap((one) => appendPiece(one, piece, String(group)));
    if (next.length < count) return undefined;
    written = next;
  }
  if (!written.every(({ path }) => path.startsWith('/'))) return undefined;
  return written.map(({ path, last }) => ({
    path,
    target: (destination) => withValues(destination, valuesOf(last)),
  }));
}

/** A path so far, and the last of its groups. */
interface Written {
  path: string;
  last: Group | undefined;
}

/** What stands for a group of the source, and the group before it: paths share those, because copies would be many. */
interface Group {
  number: string;
  name: string;
  value: string;
  before: Group | undefined;
}

/** The values of groups by their numbers and names; of one name, the last. */
function valuesOf(last: Group | undefined): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (let group = last; group !== undefined; group = group.before) {
    for (const key of [group.name, group.number]) {
      if (!values.has(key)) values.set(key, group.value);
    }
  }
  return values;
}

function readPieces(source: string, grammar: Grammar): Piece[] | undefined {
  const pieces: Piece[] = [];
  for (let at = 0; at < source.length; ) {
    const next = nextPiece(source, at, grammar);
    if (next === undefined || pieces.length === maxPieces) return undefined;
    pieces.push(next.piece);
    at = next.end;
  }
  return pieces;
}

function nextPiece(source: string, at: number, grammar: Grammar) {
  for (const [pattern, read] of grammar) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found !== null && found[0] !== '') return { piece: read(found), end: at + found[0].length };
  }
  return undefined;
}

/** The path with one more piece, or with each word of a choice; without those that cannot follow. */
function appendPiece({ path, last }: Written, piece: Piece, number: string): Written[] {
  if (piece.kind === 'text')
    return appendText(path, piece.text).map((one) => ({ path: one, last }));
  const { name = '' } = piece;
  const withValue = (value: string): Group => ({ number, name, value, before: last });
  if (piece.kind === 'choice')
    return piece.words.flatMap((word) =>
      appendText(path, word).map((one) => ({ path: one, last: withValue(word) })),
    );
  if (piece.kind === 'splat')
    return [{ path: `${path}${piece.before ?? ''}*`, last: withValue(':splat') }];
  const placeholder = name === '' ? `part${number}` : name;
  return [{ path: `${path}:${placeholder}`, last: withValue(`:${placeholder}`) }];
}

/** A placeholder ends where its name cannot go on: nothing else tells where the text after it begins. */
function appendText(path: string, added: string): string[] {
  return /:[A-Za-z]\w*$/.test(path) && /^\w/.test(added) ? [] : [path + added];
}

/** Groups of a target are `$1`, `:name` or `:name*`. Of one that no line has room for, only so much that it is refused. */
function withValues(destination: string, values: ReadonlyMap<string, string>): string {
  if (destination.length > maxLineLength) return destination.slice(0, maxLineLength + 1);
  return destination
    .replace(
      /\$(\d)|:([A-Za-z]\w{0,63})[*+]?/g,
      (written, number?: string, name?: string) => values.get(number ?? name ?? '') ?? written,
    )
    .slice(0, maxLineLength + 1);
}
