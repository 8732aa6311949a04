/** A line of a rules file that is left out, and why. */
export interface InvalidLine {
  /** The file, where it is not the one that was read. */
  file?: string | undefined;
  /** Counted from 1. */
  line: number;
  text: string;
  message: string;
}

/** The rules of a file, and every line that is left out. */
export interface ParsedRules<Rule> {
  rules: Rule[];
  invalid: InvalidLine[];
}

/** A line longer than this is left out. */
export const maxLineLength = 2000;

/** One line of a file, without its end. */
export interface Line {
  number: number;
  text: string;
  /** The file of another host in which the rule is written in other words. */
  file?: string;
  /** Why nothing of it is read. */
  fault?: string;
}

/**
 * The text of a rules file in UTF-8, or in UTF-16 as PowerShell and Windows editors save it. The
 * byte order mark tells the encoding, else the zero byte beside the first character, which is
 * ASCII. Never throws.
 */
export function textOfRules(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
    ? 'utf-16be'
    : 'utf-8';
}

/**
 * The lines of a file without comments and empty lines; a byte order mark is skipped. A carriage
 * return ends a line where the file has no other ends: within a line it would be an attack.
 */
export function* linesOf(text: string): Generator<Line> {
  let number = 0;
  const end = text.includes('\n') ? '\n' : '\r';
  for (const line of text.replace(/^\uFEFF/, '').split(end)) {
    number += 1;
    const bare = line.endsWith('\r') ? line.slice(0, -1) : line;
    const trimmed = bare.trim();
    if (trimmed !== '' && !trimmed.startsWith('#')) yield { number, text: bare };
  }
}

/** Many times the rules that a site may have, and what a publish reads in a moment. */
export const maxRuleLines = 10_000;

const cutOffFault = `At most ${maxRuleLines} lines of rules are read; this one and all that follow are left out.`;

/** Whether reading ended at a line. Pure. */
export function isCutOff({ message }: InvalidLine): boolean {
  return message === cutOffFault;
}

/** The first lines; the next one says that it and the rest are left out. */
export function* firstLines(lines: Iterable<Line>): Generator<Line> {
  let count = 0;
  for (const line of lines) {
    count += 1;
    if (count > maxRuleLines) {
      yield { ...line, fault: cutOffFault };
      return;
    }
    yield line;
  }
}

/** Why a line of any rules file cannot be read; `undefined` where it can. */
export function lineFault({ text, fault }: Line): string | undefined {
  if (fault !== undefined) return fault;
  if (text.length > maxLineLength) return `A line has at most ${maxLineLength} characters.`;
  return hasControl(text) ? 'Control characters are not allowed.' : undefined;
}

function hasControl(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the pattern must match control characters
  return /[\u0000-\u0008\u000a-\u001f\u007f\u0085\u2028\u2029]/.test(text);
}

/** The rules files in the root of a site; they are never served themselves. */
export const redirectsFile = '_redirects';

export const headersFile = '_headers';

/** Whether a file of a site holds rules. */
export function isRulesFile(path: string): boolean {
  return path === redirectsFile || path === headersFile;
}

/**
 * Files at the root that other hosts read and do not serve, beside `_redirects` and `_headers`: of Netlify,
 * Vercel, Firebase, GitHub Pages, Cloudflare, Azure, surge (`AUTH` holds passwords) and IIS.
 */
const foreignFiles: ReadonlySet<string> = new Set(
  (
    'netlify.toml vercel.json now.json firebase.json CNAME _worker.js _routes.json wrangler.jsonc ' +
    'wrangler.json wrangler.toml staticwebapp.config.json AUTH CORS ROUTER web.config'
  ).split(' '),
);

/** Folders that hold only what other hosts run on their servers. */
const serverFolder = /^(?:netlify\/(?:edge-)?functions|_worker\.js)\//;

/** Whether a file says how a site is hosted, here or elsewhere. Such a file is never served. */
export function isHostingFile(path: string): boolean {
  return isRulesFile(path) || foreignFiles.has(path) || serverFolder.test(path);
}
