import type { RuleWarning } from '../../contract/fields.ts';
import { isHtml } from '../content/media-type.ts';
import type { IncomingFile } from '../content/place-files.ts';
import {
  headersFile,
  type InvalidLine,
  isCutOff,
  isRulesFile,
  linesOf,
  redirectsFile,
  textOfRules,
} from './rules-file.ts';
import { type SharedTime, sharedTime } from '../run-with-timeout.ts';
import { encodeRules, type SiteRules } from './site-rules.ts';
import { foreignReaders } from './foreign/foreign-files.ts';
import { type ForeignRules, noForeignRules } from './foreign/foreign-rules.ts';
import { findFunctions, type FoundFunctions, mayBeFunction } from './foreign/server-functions.ts';
import { parseHeaders } from './parse-headers.ts';
import { parseRedirects } from './parse-redirects.ts';

/** A larger rules file is not read. */
export const maxRulesFileBytes = 1024 * 1024;

/** Nor is a larger file of another host. */
const maxForeignBytes = 256 * 1024;

/**
 * How long all rules of an upload may take to read, much longer than any that are meant: no rule of a stranger may
 * hold a function, whatever a reader does with it.
 */
const readMs = 5000;

/** The files of an upload as a stream, and the site's rules once all files have passed. */
export interface CollectedRules {
  files: AsyncIterable<IncomingFile>;
  rules(): EncodedRules;
}

/**
 * Passes the files of an upload on and reads a site's rules from them; a bundle has no rules.
 * @param limitMs rules that take longer are left out, with a warning
 */
export function collectSiteRules(
  kind: 'site' | 'bundle',
  files: AsyncIterable<IncomingFile>,
  limitMs = readMs,
): CollectedRules {
  if (kind === 'bundle') return { files, rules: () => ({}) };
  const found: FoundRules = {
    texts: new Map(),
    foreign: new Map(),
    functions: findFunctions(),
    warnings: [],
    time: sharedTime(limitMs),
  };
  return {
    files: readRulesFiles(files, found),
    rules() {
      const foreign = [...foreignReaders.keys()].flatMap((file) => found.foreign.get(file) ?? []);
      const named = foreign.flatMap(({ serverFolders }) => serverFolders);
      const functions = found.functions.found(named);
      const { rules, warnings = [] } =
        found.time.run(() => readSiteRules(found.texts, foreign, functions)) ??
        withoutSlow(found, functions);
      const all = [...found.warnings, ...warnings];
      return { ...(rules && { rules }), ...(all.length > 0 && { warnings: all }) };
    },
  };
}

/** What was read from the files that have passed. */
interface FoundRules {
  texts: Map<string, string>;
  foreign: Map<string, ForeignRules>;
  functions: ReturnType<typeof findFunctions>;
  warnings: RuleWarning[];
  time: SharedTime;
}

/** The rules that hide functions, without those of files that take too long. */
function withoutSlow({ texts }: FoundRules, functions: FoundFunctions): EncodedRules {
  const { rules, warnings = [] } = readSiteRules(new Map(), [], functions);
  const slow = [...texts.keys()].map((file) => tooLong(file));
  return { ...(rules && { rules }), warnings: [...slow, ...warnings] };
}

function tooLong(file: string): RuleWarning {
  const message = 'This file takes too long to read, so its rules are not used. Make it shorter.';
  return { file, line: 1, message };
}

async function* readRulesFiles(
  files: AsyncIterable<IncomingFile>,
  found: FoundRules,
): AsyncGenerator<IncomingFile> {
  for await (const file of files) {
    const { path, size } = file;
    const most = maxBytesOf(path);
    // A page is a rule by its name alone.
    if (most === undefined || size > most || isHtml(path)) {
      if (most !== undefined) await addRules(found, path, isHtml(path) ? '' : undefined);
      found.functions.add(path, undefined);
      yield file;
      continue;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.content) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const text = textOfRules(bytes);
    found.functions.add(path, mayBeFunction(path) ? text : undefined);
    await addRules(found, path, text);
    yield { ...file, content: [bytes] };
  }
}

/** How large a file may be that is read for rules; undefined for all others, which are not. */
function maxBytesOf(path: string): number | undefined {
  if (isRulesFile(path) || mayBeFunction(path)) return maxRulesFileBytes;
  return foreignReaders.has(path) ? maxForeignBytes : undefined;
}

/** @param text undefined if the file is too large */
async function addRules(found: FoundRules, path: string, text: string | undefined): Promise<void> {
  const load = foreignReaders.get(path);
  if (text === undefined && (load !== undefined || isRulesFile(path))) {
    const most = maxBytesOf(path) ?? 0;
    const message = `The file is larger than ${most} bytes and was not read. Make it smaller.`;
    found.warnings.push({ file: path, line: 1, message });
  } else if (text !== undefined && load !== undefined) {
    const read = await load();
    const rules = found.time.run(() => read(text));
    if (rules === undefined) found.warnings.push(tooLong(path));
    else found.foreign.set(path, rules);
  } else if (text !== undefined && isRulesFile(path)) found.texts.set(path, text);
}

/** Encoded rules, and warnings about the lines that were left out. */
export interface EncodedRules {
  rules?: Uint8Array;
  warnings?: RuleWarning[];
}

const maxWarnings = 50;

const maxWarningLength = 200;

/**
 * Reads a site's rules files, and after them what files of other hosts say. Pure; never throws for any
 * content.
 * @param first come before all others: they hide functions
 */
export function readSiteRules(
  files: ReadonlyMap<string, string>,
  foreign: readonly ForeignRules[] = [],
  first: Pick<ForeignRules, 'redirects' | 'invalid'> = noForeignRules(),
): EncodedRules {
  const redirects = parseRedirects([
    ...first.redirects,
    ...linesOf(files.get(redirectsFile) ?? ''),
    ...foreign.flatMap((one) => one.redirects),
  ]);
  const headers = parseHeaders([
    ...linesOf(files.get(headersFile) ?? ''),
    ...foreign.flatMap((one) => one.headers),
  ]);
  const fitted = fitToSize({ redirects: redirects.rules, headers: headers.rules });
  const warnings = [
    // First, because the others may be more than are shown.
    ...lineWarnings(redirectsFile, redirects.invalid.filter(isCutOff)),
    ...lineWarnings(headersFile, headers.invalid.filter(isCutOff)),
    ...lineWarnings(redirectsFile, redirects.invalid.filter(isRead)),
    ...lineWarnings(headersFile, headers.invalid.filter(isRead)),
    ...[first, ...foreign].flatMap(({ invalid }) => lineWarnings('', invalid)),
    ...fitted.omitted,
  ].slice(0, maxWarnings);
  return {
    ...(fitted.rules !== undefined && { rules: fitted.rules }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** As many rules as fit into the size limit, in order; redirects come before headers. */
function fitToSize(all: SiteRules): { rules: Uint8Array | undefined; omitted: RuleWarning[] } {
  const total = all.redirects.length + all.headers.length;
  if (total === 0) return { rules: undefined, omitted: [] };
  const whole = encodeRules(all);
  if (whole !== undefined) return { rules: whole, omitted: [] };
  let fits = 0;
  for (let over = total; over - fits > 1; ) {
    const tried = Math.floor((fits + over) / 2);
    if (encodeRules(firstRules(all, tried)) !== undefined) fits = tried;
    else over = tried;
  }
  const kept = firstRules(all, fits);
  const omitted = [
    ...all.redirects
      .slice(kept.redirects.length)
      .map(({ file = redirectsFile, line }) => sizeWarning(file, line)),
    ...all.headers
      .slice(kept.headers.length)
      .map(({ file = headersFile, line }) => sizeWarning(file, line)),
  ];
  return { rules: fits === 0 ? undefined : encodeRules(kept), omitted };
}

function firstRules({ redirects, headers }: SiteRules, count: number): SiteRules {
  return {
    redirects: redirects.slice(0, count),
    headers: headers.slice(0, Math.max(0, count - redirects.length)),
  };
}

function sizeWarning(file: RuleWarning['file'], line: number): RuleWarning {
  return { file, line, message: 'This rule does not fit: all rules together are too large.' };
}

const isRead = (line: InvalidLine) => !isCutOff(line);

/** @param read the file, where a line does not name its own */
function lineWarnings(read: string, invalid: readonly InvalidLine[]): RuleWarning[] {
  return invalid.slice(0, maxWarnings).map(({ file = read, line, text, message }) => {
    const excerpt = text.trim().replace(/\s+/g, ' ').slice(0, 60);
    const whole = excerpt === '' ? message : `${message} (${excerpt})`;
    return { file, line, message: whole.slice(0, maxWarningLength) };
  });
}
