import {
  asciiOnly,
  fillTemplate,
  isMatch,
  type PathPattern,
  type PatternReading,
  readAddress,
  readRulePath,
  wildcardsOf,
} from './path-pattern.ts';
import { firstLines, type Line, lineFault, type ParsedRules } from './rules-file.ts';
import { maxLocationLength, type RedirectRule, redirectStatuses, showsFile } from './site-rules.ts';

/** The same limits as Cloudflare Pages. */
export const maxStaticRedirects = 2000;
export const maxDynamicRedirects = 100;

/** The nearest such file is shown where a rule with status 410 names no page. */
const notFoundFile = '/404.html';

/** The status of a rule without one, as at Netlify. */
const defaultStatus = 301;

/**
 * Reads the lines of a `_redirects` file, and lines of the same form that other files say. Never throws: an
 * invalid line is left out and reported.
 */
export function parseRedirects(lines: Iterable<Line>): ParsedRules<RedirectRule> {
  const parsed: ParsedRules<RedirectRule> = { rules: [], invalid: [] };
  const left = { fixed: maxStaticRedirects, dynamic: maxDynamicRedirects };
  for (const whole of firstLines(lines)) {
    const { number, text: line, file } = whole;
    const read = lineFault(whole) ?? readLine(line, number);
    const message = typeof read === 'string' ? read : overLimit(read, left);
    if (typeof read !== 'string' && message === undefined)
      parsed.rules.push({ ...read, ...(file !== undefined && { file }) });
    else parsed.invalid.push({ file, line: number, text: line, message: message ?? '' });
  }
  return parsed;
}

function overLimit({ pattern }: RedirectRule, left: { fixed: number; dynamic: number }) {
  const kind = wildcardsOf(pattern).length > 0 ? 'dynamic' : 'fixed';
  left[kind] -= 1;
  if (left[kind] >= 0) return undefined;
  return kind === 'fixed'
    ? `At most ${maxStaticRedirects} rules without wildcards are allowed.`
    : `At most ${maxDynamicRedirects} rules with \`*\` or placeholders are allowed.`;
}

/** A rule, or the error in the line. */
function readLine(line: string, number: number): RedirectRule | string {
  const [from = '', to, status, ...more] = wordsOf(line);
  const reading = readFrom(from);
  if ('fault' in reading) return reading.fault;
  const fault = targetWordFault(to) ?? conditionFault(status, more);
  if (fault !== undefined || to === undefined) return fault ?? '';
  const outcome = readStatus(status);
  if (typeof outcome === 'string') return outcome;
  const rule = { line: number, from, to: asciiOnly(to), ...outcome, ...reading };
  return targetFault(rule) ?? loopFault(rule) ?? rule;
}

/**
 * The words of a line, without its comment. A rule with 410 may omit its page: `/old 410` gets the
 * default one.
 */
function wordsOf(line: string): string[] {
  const all = line.trim().split(/[ \t]+/);
  const comment = all.findIndex((word) => word.startsWith('#'));
  const words = comment === -1 ? all : all.slice(0, comment);
  return /^410!?$/.test(words[1] ?? '') ? words.toSpliced(1, 0, notFoundFile) : words;
}

function readFrom(from: string): PatternReading {
  return from.includes('?') ? { fault: 'Matching the query is not supported.' } : readAddress(from);
}

function targetWordFault(to: string | undefined): string | undefined {
  if (to === undefined) return 'A rule needs a path and a target.';
  const isTarget = to.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(to);
  if (!isTarget && to.includes('=')) return 'Matching query parameters is not supported.';
  return undefined;
}

function conditionFault(status: string | undefined, more: string[]): string | undefined {
  const extra = [status ?? '', ...more].find((word) => word.includes('='));
  if (extra !== undefined) {
    return `Conditions such as ${clip(extra)} (country, language, role, cookie) are not supported.`;
  }
  return more.length > 0 ? 'A rule has a path, a target and an optional status.' : undefined;
}

function readStatus(word: string | undefined): Pick<RedirectRule, 'status' | 'force'> | string {
  const [, digits, mark] = /^(\d{3})(!?)$/.exec(word ?? String(defaultStatus)) ?? [];
  const status = ([...redirectStatuses, 200, 404, 410] as const).find(
    (one) => one === Number(digits),
  );
  return status === undefined
    ? `The status ${clip(word ?? '')} is not one of 200, 301, 302, 303, 307, 308, 404 and 410.`
    : { status, force: mark === '!' };
}

function clip(word: string): string {
  return `\`${word.slice(0, 40)}\``;
}

function targetFault({ pattern, to, status }: RedirectRule): string | undefined {
  const names = wildcardsOf(pattern);
  const shortest = fillTemplate(to, new Map(names.map((name) => [name, ''])), maxLocationLength);
  if (shortest === undefined) return `A target has at most ${maxLocationLength} characters.`;
  if (to.startsWith('/')) return pathFault(to, names);
  if (showsFile(status)) return 'A rule cannot serve pages of another site (no proxying).';
  return urlFault(to, names);
}

function pathFault(to: string, names: readonly string[]): string | undefined {
  if (to.startsWith('/.netlify/')) return 'Functions are not run here. Call a server elsewhere.';
  if (/^\/[/\\]/.test(to)) return 'A target on another site must begin with https://.';
  if (to.includes('\\')) return 'A target cannot contain a backslash.';
  return unknownPlaceholder(to, names);
}

/** A name has at most 253 octets (RFC 1035 §2.3.4), then its port; letters of other scripts make it no shorter. */
const maxHostLength = 260;

/** A visitor must not choose the host: that would be an open redirect. */
function urlFault(to: string, names: readonly string[]): string | undefined {
  const [, authority = ''] = /^https?:\/\/([^/?#\\]+)/i.exec(to) ?? [];
  if (authority === '') return 'A target must be a path, or begin with http:// or https://.';
  if (/@|:[A-Za-z]/.test(authority))
    return 'The host of a target cannot contain a placeholder or a user name.';
  if (authority.length > maxHostLength || URL.parse(`http://${authority}/`) === null)
    return 'The host of the target is invalid.';
  return unknownPlaceholder(to.slice(to.indexOf('//') + authority.length + 2), names);
}

function unknownPlaceholder(to: string, names: readonly string[]): string | undefined {
  const used = [...to.matchAll(/:([A-Za-z]\w{0,63})/g)].map(([, name = '']) => name);
  const unknown = used.find((name) => !names.includes(name));
  if (unknown === undefined) return undefined;
  return unknown === 'splat'
    ? 'The target has `:splat`, but the path has no `*`.'
    : `The target has a placeholder :${unknown.slice(0, 40)} that the path does not have.`;
}

/** A forced rule that matches its own target never ends; another rule ends at a file, if there is one. */
function loopFault({ from, host, to, status, force, pattern }: RedirectRule): string | undefined {
  const own = onHost(to, host);
  if (showsFile(status) || !own.startsWith('/')) return undefined;
  const [path = ''] = own.split(/[?#]/, 1);
  const isSame =
    withoutTrailingSlash(path.replace(/:splat\b/g, '*')) ===
    withoutTrailingSlash(onHost(from, host));
  return isSame || (force && matchesOwnTarget(pattern, path))
    ? 'The rule redirects to itself.'
    : undefined;
}

/** An address without its host, if that is the given one. */
function onHost(address: string, host: string | undefined): string {
  const [, name = '', path = '/'] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(address) ?? [];
  return host !== undefined && name.toLowerCase() === host ? path : address;
}

function matchesOwnTarget(pattern: PathPattern, to: string): boolean {
  const sample = new Map(wildcardsOf(pattern).map((name) => [name, 'x']));
  const target = readRulePath(fillTemplate(to, sample, to.length) ?? '');
  return target !== undefined && isMatch(pattern, target);
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
