import * as z from 'zod/mini';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  asciiOnly,
  capturesOf,
  fillTemplate,
  isMatch,
  type PathPattern,
  type PatternReading,
  readAddress,
  readPattern,
  readRulePath,
  type RulePath,
} from './path-pattern.ts';
import { readSiteField } from './site-fields.ts';

/** A site's own rules for how it is served. */
export interface SiteRules {
  redirects: readonly RedirectRule[];
  headers: readonly HeaderRule[];
}

/** A site without rules of its own. */
export const noRules: SiteRules = { redirects: [], headers: [] };

/** Rules are read with the manifest at the first visit of a site. */
export const maxRulesBytes = 48_000;
/** The same limit before compression: every function that serves the site keeps the rules in memory. */
const maxUncompressedBytes = 256_000;

/** Rules that were decoded before, as long as their stored form is in memory. */
const decoded = new WeakMap<Uint8Array, SiteRules>();

/**
 * The inverse of {@link encodeRules}; the bytes must not change afterwards. Headers that a site may not
 * set are left out here too: a version may be older than the list of those that it may.
 */
export function decodeRules(stored: Uint8Array | undefined): SiteRules {
  if (stored === undefined) return noRules;
  const rules = decoded.get(stored) ?? parseRules(stored);
  decoded.set(stored, rules);
  return rules;
}

function parseRules(bytes: Uint8Array): SiteRules {
  const { r, h } = StoredRules.parse(JSON.parse(gunzipSync(bytes).toString()));
  return {
    redirects: r.flatMap(([line, from, to, status, force]) =>
      withPattern(readAddress(from), { line, from, to, status, force: force === 1 }),
    ),
    headers: h.flatMap(([line, path, stored, unset]) => {
      const set = stored.flatMap(([name, text]): HeaderRule['set'] => {
        const { value } = readSiteField(name, text);
        return value === undefined ? [] : [[name, value]];
      });
      return withPattern(readPattern(path), { line, path, set, unset });
    }),
  };
}

/** The rule with its parsed path, as a list; an empty list if the path is not valid. */
function withPattern<Rule>(reading: PatternReading, rule: Rule) {
  return 'pattern' in reading ? [{ ...rule, ...reading }] : [];
}

const Status = z.union([
  z.literal(200),
  z.literal(301),
  z.literal(302),
  z.literal(303),
  z.literal(307),
  z.literal(308),
  z.literal(404),
  z.literal(410),
]);

const StoredRules = z.object({
  r: z.array(
    z.tuple([z.number(), z.string(), z.string(), Status, z.union([z.literal(0), z.literal(1)])]),
  ),
  h: z.array(
    z.tuple([
      z.number(),
      z.string(),
      z.array(z.tuple([z.string(), z.string()])),
      z.array(z.string()),
    ]),
  ),
});

/** Rules without their parsed paths, which are not stored. */
interface WrittenRules {
  redirects: readonly Omit<RedirectRule, 'pattern'>[];
  headers: readonly Omit<HeaderRule, 'pattern'>[];
}

/** The stored form; `undefined` where it is too large. */
export function encodeRules({ redirects, headers }: WrittenRules): Uint8Array | undefined {
  const r = redirects.map(({ line, from, to, status, force }) => [
    line,
    from,
    to,
    status,
    Number(force),
  ]);
  const h = headers.map(({ line, path, set, unset }) => [line, path, set, unset]);
  const text = JSON.stringify({ r, h });
  if (text.length > maxUncompressedBytes) return undefined;
  const compressed = gzipSync(text);
  return compressed.length <= maxRulesBytes ? compressed : undefined;
}

/** Statuses of a rule that redirects. */
export const redirectStatuses = [301, 302, 303, 307, 308] as const;

export type RedirectStatus = (typeof redirectStatuses)[number];

/** Statuses of a rule that shows a file of the site without a redirect. */
export type ShownStatus = 200 | 404 | 410;

export function showsFile(status: RedirectRule['status']): status is ShownStatus {
  return status === 200 || status === 404 || status === 410;
}

/** One rule of `_redirects`; `to` is encoded for a `Location` header, except for its placeholders. */
export interface RedirectRule {
  /** The file of another host that says it; only until it is stored. */
  file?: string;
  line: number;
  /** A path, or an address of one of the site's hosts. */
  from: string;
  /** The only host that it is for. */
  host?: string;
  to: string;
  status: RedirectStatus | ShownStatus;
  /** Whether it applies even where a file exists. */
  force: boolean;
  /** The parsed form of `from`, which requests use instead of the text. */
  pattern: PathPattern;
}

/** One block of `_headers`: the headers that it adds to every response at a path, and those of earlier blocks that it removes. */
export interface HeaderRule {
  /** The file of another host that says it; only until it is stored. */
  file?: string;
  line: number;
  path: string;
  /** Names in lowercase, in the order of the file. */
  set: [name: string, value: string][];
  unset: string[];
  /** The parsed form of `path`, which requests use instead of the text. */
  pattern: PathPattern;
}

/** Names and values of one response; CloudFront passes on 20,480 bytes of headers in total. */
export const maxFieldBytes = 8000;

/** The headers of one response while they are put together. */
export interface ResponseFields {
  fields: Map<string, string>;
  /**
   * Appends to a header. If the text does not fit, the header stays as it is and the result is
   * false.
   */
  add(name: string, value: string): boolean;
  remove(name: string): void;
}

/** An empty set of headers, which counts their size as they are added, separators included. */
export function responseFields(): ResponseFields {
  const fields = new Map<string, string>();
  let size = 0;
  return {
    fields,
    add(name, value) {
      const before = fields.get(name);
      const added = before === undefined ? name.length + value.length + 4 : value.length + 2;
      if (size + added > maxFieldBytes) return false;
      size += added;
      fields.set(name, before === undefined ? value : `${before}, ${value}`);
      return true;
    },
    remove(name) {
      const value = fields.get(name);
      if (value !== undefined) size -= name.length + value.length + 4;
      fields.delete(name);
    },
  };
}

/** Where a rule leads: to another address, or to a file of the site that is served at this one. */
export type RedirectTarget<File> =
  | { kind: 'redirect'; location: string; status: RedirectStatus }
  | { kind: 'file'; file: File; status: ShownStatus }
  /** The site has no page that a rule with 410, or with `404!`, names. */
  | { kind: 'gone'; status: 404 | 410 };

/** The part of a request that rules depend on. */
export interface RedirectRequest<File> {
  path: RulePath;
  /** Where the site was visited; undefined where that is not known. */
  host?: string | undefined;
  query: string;
  /** Whether the site has a file or a folder at this path. */
  isFound: boolean;
  /** The file of the site at a path, if there is one. */
  find(path: string): File | undefined;
  /**
   * Whether a rule for all paths may answer with this file: a request for a missing script must not
   * get a page.
   */
  suits(file: File): boolean;
  /** Called with the letters of each target that leads nowhere. */
  onMiss?(letters: number): void;
}

/** Browsers accept hardly any longer address, and CloudFront passes on 20,480 bytes of headers. */
export const maxLocationLength = 8000;

/** A visitor's long address must not be copied into the targets of a hundred rules that lead nowhere. */
const maxTriedLength = 8 * maxLocationLength;

/**
 * The target of the first rule that matches; `undefined` where none does, or where the site has a
 * file and the rule does not shadow it. A rule that would redirect to itself, or that serves a
 * missing file, does not match; after targets of 64,000 characters together no other one is tried.
 */
export function followRedirects<File>(
  rules: readonly RedirectRule[],
  request: RedirectRequest<File>,
): RedirectTarget<File> | undefined {
  let tried = 0;
  for (const rule of rules) {
    if (!isFor(rule, request)) continue;
    if (request.isFound && !rule.force) return undefined;
    const captures = capturesOf(rule.pattern, request.path);
    const filled = fillTemplate(rule.to, captures, maxLocationLength);
    // An empty splat must not produce `//`, which begins the address of another site.
    const to = filled?.replace(/^\/+/, '/');
    const target = isPlainTarget(to) ? resolveTarget(rule, to, request) : undefined;
    if (target !== undefined) return target;
    const letters = to?.length ?? maxLocationLength;
    request.onMiss?.(letters);
    tried += letters;
    if (tried > maxTriedLength) return undefined;
  }
  return undefined;
}

function isFor(
  { host, pattern }: RedirectRule,
  visit: { host?: string | undefined; path: RulePath },
) {
  return (host === undefined || host === visit.host) && isMatch(pattern, visit.path);
}

/** Programs that decode `/%2F` or `/%5C` first would read the address of another site. */
function isPlainTarget(to: string | undefined): to is string {
  return to !== undefined && !/^\/%(?:2f|5c)/i.test(to);
}

function resolveTarget<File>(
  rule: RedirectRule,
  to: string,
  request: RedirectRequest<File>,
): RedirectTarget<File> | undefined {
  const { status } = rule;
  const [path = ''] = to.split(/[?#]/, 1);
  if (showsFile(status)) {
    const file = request.find(path);
    if (file !== undefined && (!isFallback(rule) || request.suits(file)))
      return { kind: 'file', file, status };
    return goneBy(rule);
  }
  if (to.startsWith('/') && isLoop(rule, path, request)) return undefined;
  const location = withQuery(to, request.query);
  return location.length > maxLocationLength ? undefined : { kind: 'redirect', location, status };
}

/** What a rule without a page to show says by its status alone. */
function goneBy({ status, force }: RedirectRule): RedirectTarget<never> | undefined {
  if (status === 410 || (status === 404 && force)) return { kind: 'gone', status };
  return undefined;
}

/** A rule such as `/* /index.html 200`, which shows one file where nothing else is. */
function isFallback({ pattern, status, force, to }: RedirectRule): boolean {
  return status === 200 && !force && pattern.splatAt !== -1 && !to.includes(':splat');
}

/** Whether the same rule would match its own target again, without a file that ends the loop. */
function isLoop<File>(rule: RedirectRule, to: string, request: RedirectRequest<File>): boolean {
  const target = readRulePath(to);
  if (target === undefined || !isMatch(rule.pattern, target)) return false;
  return rule.force || request.find(to) === undefined;
}

/** Adds the visitor's query to an address, unless the address has its own. */
export function withQuery(location: string, query: string): string {
  if (query === '' || location.includes('?')) return location;
  const [path = '', ...fragment] = location.split('#');
  const kept = asciiOnly(query.replaceAll('#', '%23'));
  return [`${path}?${kept}`, ...fragment].join('#');
}

/** Headers that a site's rules add to a response, by their name in lowercase. */
export type SiteFields = ReadonlyMap<string, string>;

/**
 * The headers that all blocks matching a path set together: a later block appends to a header or
 * removes it. The first header that exceeds the size limit of one response ends the list.
 */
export function fieldsFor(rules: readonly HeaderRule[], path: RulePath): SiteFields {
  const sent = responseFields();
  for (const { pattern, set, unset } of rules) {
    if (!isMatch(pattern, path)) continue;
    for (const name of unset) sent.remove(name);
    for (const [name, value] of set) if (!sent.add(name, value)) return sent.fields;
  }
  return sent.fields;
}

/** Whether a block that matches a path removes a header: then a default of ours is not sent either. */
export function removesField(rules: readonly HeaderRule[], path: RulePath, name: string): boolean {
  return rules.some(({ pattern, unset }) => unset.includes(name) && isMatch(pattern, path));
}
