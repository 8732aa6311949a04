import type { RuleWarning } from '../../contract/fields.ts';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { type HeaderRule, parseHeaders } from './parse-headers.ts';
import { parseRedirects, type RedirectRule } from './parse-redirects.ts';
import type { InvalidLine } from './rule-lines.ts';
import { headersFile, redirectsFile } from './rules-files.ts';

/** What a site's files say about how it is served. */
export interface SiteRules {
  redirects: readonly RedirectRule[];
  headers: readonly HeaderRule[];
}

/** A site without rules of its own. */
export const noRules: SiteRules = { redirects: [], headers: [] };

/** Rules as a version keeps them: encoded, with the first lines that were left out. */
export interface ReadRules {
  rules?: Uint8Array;
  warnings?: RuleWarning[];
}

/** Rules travel inside the serving record, beside a manifest of 64 KiB; an item has 400 kB (Amazon DynamoDB). */
export const maxRulesBytes = 48_000;
/** The same before it is packed: they are unpacked at every visit. */
const maxUnpackedBytes = 256_000;
const maxWarnings = 50;
const maxWarningLength = 200;

/** Reads the files of rules of a site; pure, and never throws whatever they hold. */
export function readSiteRules(files: ReadonlyMap<string, string>): ReadRules {
  const redirects = parseRedirects(files.get(redirectsFile) ?? '');
  const headers = parseHeaders(files.get(headersFile) ?? '');
  const fitted = fit({ redirects: redirects.rules, headers: headers.rules });
  const warnings = [
    ...told(redirectsFile, redirects.invalid),
    ...told(headersFile, headers.invalid),
    ...fitted.left,
  ].slice(0, maxWarnings);
  return {
    ...(fitted.rules !== undefined && { rules: fitted.rules }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** The opposite of the encoding of {@link readSiteRules}. */
export function decodeRules(stored: Uint8Array | undefined): SiteRules {
  if (stored === undefined) return noRules;
  const { r, h } = StoredRules.parse(JSON.parse(gunzipSync(stored).toString()));
  return {
    redirects: r.map(([line, from, to, status, force]) => ({
      line,
      from,
      to,
      status,
      force: force === 1,
    })),
    headers: h.map(([line, path, set, unset]) => ({ line, path, set, unset })),
  };
}

const Status = z.union([
  z.literal(200),
  z.literal(301),
  z.literal(302),
  z.literal(303),
  z.literal(307),
  z.literal(308),
  z.literal(404),
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

/** The stored form; `undefined` where it is too large. */
function encodeRules({ redirects, headers }: SiteRules): Uint8Array | undefined {
  const r = redirects.map(({ line, from, to, status, force }) => [
    line,
    from,
    to,
    status,
    Number(force),
  ]);
  const h = headers.map(({ line, path, set, unset }) => [line, path, set, unset]);
  const text = JSON.stringify({ r, h });
  if (text.length > maxUnpackedBytes) return undefined;
  const packed = gzipSync(text);
  return packed.length <= maxRulesBytes ? packed : undefined;
}

/** The most rules from the first on whose encoding has room; redirects come before headers. */
function fit(all: SiteRules): { rules: Uint8Array | undefined; left: RuleWarning[] } {
  const total = all.redirects.length + all.headers.length;
  if (total === 0) return { rules: undefined, left: [] };
  const whole = encodeRules(all);
  if (whole !== undefined) return { rules: whole, left: [] };
  let fits = 0;
  for (let over = total; over - fits > 1; ) {
    const tried = Math.floor((fits + over) / 2);
    if (encodeRules(first(all, tried)) !== undefined) fits = tried;
    else over = tried;
  }
  const kept = first(all, fits);
  const left = [
    ...all.redirects.slice(kept.redirects.length).map(({ line }) => outsized(redirectsFile, line)),
    ...all.headers.slice(kept.headers.length).map(({ line }) => outsized(headersFile, line)),
  ];
  return { rules: fits === 0 ? undefined : encodeRules(kept), left };
}

function first({ redirects, headers }: SiteRules, count: number): SiteRules {
  return {
    redirects: redirects.slice(0, count),
    headers: headers.slice(0, Math.max(0, count - redirects.length)),
  };
}

function outsized(file: RuleWarning['file'], line: number): RuleWarning {
  return { file, line, message: 'All rules together are too large: this one has no room.' };
}

function told(file: RuleWarning['file'], invalid: readonly InvalidLine[]): RuleWarning[] {
  return invalid.slice(0, maxWarnings).map(({ line, text, message }) => {
    const shown = text.trim().replace(/\s+/g, ' ').slice(0, 60);
    return { file, line, message: `${message} (${shown})`.slice(0, maxWarningLength) };
  });
}
