import type { RuleWarning } from '../../contract/fields.ts';
import type { IncomingFile } from '../content/prepare-upload.ts';
import {
  headersFile,
  type InvalidLine,
  isRulesFile,
  redirectsFile,
  textOfRules,
} from './rules-file.ts';
import { encodeRules, type SiteRules } from './site-rules.ts';
import { parseHeaders } from './parse-headers.ts';
import { parseRedirects } from './parse-redirects.ts';

/** A larger rules file is not read. */
export const maxRulesFileBytes = 1024 * 1024;

/** The files of an upload as a stream, and the site's rules once all files have passed. */
export interface CollectedRules {
  files: AsyncIterable<IncomingFile>;
  rules(): EncodedRules;
}

/** Passes the files of an upload on and reads a site's rules from them; a bundle has no rules. */
export function collectSiteRules(
  kind: 'site' | 'bundle',
  files: AsyncIterable<IncomingFile>,
): CollectedRules {
  if (kind === 'bundle') return { files, rules: () => ({}) };
  const texts = new Map<string, string>();
  const tooLarge: RuleWarning[] = [];
  return {
    files: readRulesFiles(files, texts, tooLarge),
    rules() {
      const { rules, warnings = [] } = readSiteRules(texts);
      const all = [...tooLarge, ...warnings];
      return { ...(rules && { rules }), ...(all.length > 0 && { warnings: all }) };
    },
  };
}

async function* readRulesFiles(
  files: AsyncIterable<IncomingFile>,
  texts: Map<string, string>,
  tooLarge: RuleWarning[],
): AsyncGenerator<IncomingFile> {
  for await (const file of files) {
    const { path, size } = file;
    if (isRulesFile(path) && size <= maxRulesFileBytes) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.content) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      texts.set(path, textOfRules(bytes));
      yield { ...file, content: [bytes] };
      continue;
    }
    if (isRulesFile(path)) {
      const message = `The file is larger than ${maxRulesFileBytes} bytes and was not read.`;
      tooLarge.push({ file: path, line: 1, message });
    }
    yield file;
  }
}

/** Encoded rules, and warnings about the lines that were left out. */
export interface EncodedRules {
  rules?: Uint8Array;
  warnings?: RuleWarning[];
}

const maxWarnings = 50;

const maxWarningLength = 200;

/** Reads a site's rules files. Pure; never throws for any content. */
export function readSiteRules(files: ReadonlyMap<string, string>): EncodedRules {
  const redirects = parseRedirects(files.get(redirectsFile) ?? '');
  const headers = parseHeaders(files.get(headersFile) ?? '');
  const fitted = fitToSize({ redirects: redirects.rules, headers: headers.rules });
  const warnings = [
    ...lineWarnings(redirectsFile, redirects.invalid),
    ...lineWarnings(headersFile, headers.invalid),
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
      .map(({ line }) => sizeWarning(redirectsFile, line)),
    ...all.headers.slice(kept.headers.length).map(({ line }) => sizeWarning(headersFile, line)),
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

function lineWarnings(file: RuleWarning['file'], invalid: readonly InvalidLine[]): RuleWarning[] {
  return invalid.slice(0, maxWarnings).map(({ line, text, message }) => {
    const excerpt = text.trim().replace(/\s+/g, ' ').slice(0, 60);
    return { file, line, message: `${message} (${excerpt})`.slice(0, maxWarningLength) };
  });
}
