import type { ContentWarning } from '../../../contract/fields.ts';
import type { FileEntry, Manifest } from '../../visit/manifest.ts';
import { readRequestPath } from '../../visit/protocol/request-path.ts';
import { routeVisit, type SiteContent, type VisitorRequest } from '../../visit/route-visit.ts';
import { decodeRules } from '../../site-rules/site-rules.ts';
import { quoted } from '../safe-path.ts';
import type { FoundLink, FoundLinks } from './collect-links.ts';

/**
 * Limits the time for a site with many missing addresses: each of them is compared with every rule, and looked up
 * under all names that its page, and the target of each rule, may have. A step is a letter that is looked up, some
 * nanoseconds. A missing address without rules takes some 5,000.
 */
export const maxSteps = 20_000_000;
/** Per letter: to read an address, and to fill in and read the target of a rule. */
const readSteps = 12;
const fillSteps = 16;
/** To compare a segment of a rule, or to look up a short name. */
const leastSteps = 16;
const maxMissing = 50;

/** Counts what is looked up. */
class CountedFiles extends Map<string, FileEntry> {
  steps = 0;

  override get(path: string): FileEntry | undefined {
    this.steps += leastSteps + path.length;
    return super.get(path);
  }
}

/**
 * Warnings about references to files that a site does not have. A reference that a rule or the page
 * of a single-page application answers is not missing. Pure.
 */
export function checkLinks(
  site: SiteContent,
  files: Manifest,
  { links }: Pick<FoundLinks, 'links'>,
): ContentWarning[] {
  const missing = missingLinks(site, files, links);
  const bases = wrongBases(site, files, missing);
  const others = missing.filter((link) => !bases.has(firstSegment(link.path)));
  const byLetters = others.length === 0 ? new Map<string, string>() : pathsByLetters(files);
  return [
    ...[...bases].map(([segment, found]) => baseWarning(segment, found)),
    ...others.slice(0, maxMissing).map((link) => missingWarning(link, byLetters)),
  ];
}

/** Those that lead nowhere, as far as there are steps. */
function missingLinks(
  site: SiteContent,
  files: Manifest,
  links: readonly FoundLink[],
): FoundLink[] {
  const counted = new CountedFiles(files);
  const rulesSteps = stepsOfRules(site);
  const missing: FoundLink[] = [];
  for (const link of links) {
    counted.steps += readSteps * link.path.length;
    if (counted.steps > maxSteps) break;
    if (files.has(filePath(link.path))) continue;
    counted.steps += rulesSteps;
    const { kind } = routeOf(site, counted, link);
    if (kind === 'missing' || kind === 'not-found-page') missing.push(link);
  }
  return missing;
}

/** To compare an address with all rules of a site: their segments, and the headers that they may set. */
function stepsOfRules({ rules }: Pick<SiteContent, 'rules'>): number {
  const { redirects, headers } = decodeRules(rules);
  const parts = redirects.reduce((sum, { pattern }) => sum + 1 + pattern.parts.length, 1);
  const setParts = headers.reduce(
    (sum, { pattern, set }) => sum + 1 + pattern.parts.length + set.length,
    parts,
  );
  return leastSteps * setParts;
}

/** How many addresses of a site may be compared with all its rules. */
export function comparedAtMost(site: Pick<SiteContent, 'rules'>): number {
  return Math.ceil(maxSteps / stepsOfRules(site));
}

/** The path of a file, if the address is one; the root is `''`. */
function filePath(path: string): string {
  return readRequestPath(path)?.path ?? '';
}

function routeOf(site: SiteContent, files: CountedFiles, { path, kind }: FoundLink) {
  return routeVisit(site, files, { ...request, path, fetch: fetchOf[kind] }, (letters) => {
    files.steps += fillSteps * letters;
  });
}

const request: VisitorRequest = {
  path: '/',
  query: '',
  accept: 'text/html',
  acceptEncoding: '',
  conditions: {},
  fetch: { mode: '', dest: '', site: '', purpose: '' },
  isPageView: true,
};

const fetchOf = {
  page: { mode: 'navigate', dest: 'document', site: 'same-origin', purpose: '' },
  asset: { mode: 'no-cors', dest: 'image', site: 'same-origin', purpose: '' },
};

function firstSegment(path: string): string {
  return `/${path.split('/')[1] ?? ''}/`;
}

/** A base path that a site's pages use, but its files do not have. */
interface WrongBase {
  link: FoundLink;
  /** The path at which the file exists. */
  isAt: string;
}

/**
 * First segments of missing addresses (`/app/`) whose files are there without the segment, or below
 * the folder of the home page: the site was built for another folder.
 */
function wrongBases(
  { home }: SiteContent,
  files: Manifest,
  missing: readonly FoundLink[],
): Map<string, WrongBase> {
  const homeFolder = home?.includes('/') === true ? home.slice(0, home.lastIndexOf('/') + 1) : '';
  const bases = new Map<string, WrongBase>();
  for (const link of missing) {
    const path = filePath(link.path);
    const segment = firstSegment(link.path);
    const without = path.slice(segment.length - 1);
    const isAt = [without, homeFolder + path].find((one) => one !== path && files.has(one));
    if (isAt !== undefined && !bases.has(segment)) bases.set(segment, { link, isAt });
  }
  return bases;
}

function baseWarning(segment: string, { link, isAt }: WrongBase): ContentWarning {
  const message = `Pages refer to ${shown(link.path)}, but the file is at ${shown(`/${isAt}`)}. Build the site for the folder in which it is published, or upload it in a folder ${shown(segment)}.`;
  return { kind: 'base', file: link.file, message };
}

function missingWarning(link: FoundLink, byLetters: ReadonlyMap<string, string>): ContentWarning {
  const { file, path } = link;
  const other = byLetters.get(filePath(path).toLowerCase());
  return other === undefined
    ? { kind: 'missingLink', file, message: `${shown(path)} is no file of this site.` }
    : {
        kind: 'case',
        file,
        message: `${shown(path)} is no file of this site; ${shown(`/${other}`)} differs in large and small letters.`,
      };
}

/** Shortened, and safe to print. */
function shown(path: string): string {
  return quoted(path);
}

function pathsByLetters(files: Manifest): Map<string, string> {
  return new Map([...files.keys()].map((path) => [path.toLowerCase(), path]));
}
