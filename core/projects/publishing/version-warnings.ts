import type { ContentWarning, RuleWarning, VersionWarning } from '../../../contract/fields.ts';
import { largeFileFields } from '../../../contract/visits/large-file-fields.ts';
import { checkLinks, comparedAtMost } from '../../content/links/check-links.ts';
import type { FoundLinks } from '../../content/links/collect-links.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { takenFinder } from '../../content/taken-pictures.ts';
import { isHtml } from '../../content/media-type.ts';
import { quoted } from '../../content/safe-path.ts';
import { isProofOfOwner } from '../../visit/application-page.ts';
import { runWithTimeout } from '../../run-with-timeout.ts';
import { decodeRules, fieldsFor } from '../../site-rules/site-rules.ts';
import { refusesScript } from '../../page-edits/script-policy.ts';
import { maxInlineBytes, policyHeaders } from '../../visit/decide-visit.ts';
import type { Manifest } from '../../visit/manifest.ts';
import { readRequestPath } from '../../visit/protocol/request-path.ts';
import type { SiteContent } from '../../visit/route-visit.ts';
import type { Version } from '../project.ts';
import { pictureWarning } from './picture-warning.ts';

/** Limits the list that an owner has to read, and the size of a version's row: each kilobyte is paid at every push. */
const most = { warnings: 50, bytes: 10_000 };

const lookMs = 4000;

/** The findings from reading the files of a version. */
interface Noticed {
  links: FoundLinks;
  ofRules?: readonly RuleWarning[] | undefined;
  ofFiles?: PreparedUpload['warnings'];
}

/** The warnings about a version, as a field that is left out when there are none. Pure. */
export function versionWarnings(
  site: SiteContent,
  files: Manifest,
  { links, ofRules = [], ofFiles = [] }: Noticed,
): Pick<Version, 'warnings'> {
  const ofSite = () => [
    ...applicationWarning(site, files, links),
    ...largeFileWarning(site, files),
    ...policyWarning(site, files, links),
    ...ofRules,
    ...checkLinks(site, files, links),
  ];
  // What takes longer is not looked at: nothing that a stranger publishes may hold a function.
  const noticed = site.home === null ? [] : (runWithTimeout(lookMs, ofSite) ?? ofRules);
  const all: VersionWarning[] = [
    ...ofFiles,
    ...remotePictures(files, { links, ofFiles }),
    ...noticed,
  ];
  return all.length === 0 ? {} : { warnings: withinLimits(all) };
}

/** Pictures on other sites that the version does not have, unless somebody tried to take them along. */
function remotePictures(
  files: Manifest,
  { links: { pictures = [] }, ofFiles = [] }: Noticed,
): VersionWarning[] {
  if (ofFiles.some(({ kind }) => kind === 'remote-pictures')) return [];
  const isTaken = takenFinder(files) ?? (() => undefined);
  return pictureWarning(pictures.filter(({ address }) => isTaken(address) === undefined));
}

/** The first warnings, and the first one however long. */
function withinLimits(all: readonly VersionWarning[]): VersionWarning[] {
  let bytes = 0;
  const end = all.findIndex((one, at) => {
    bytes += Buffer.byteLength(JSON.stringify(one));
    return at === most.warnings || (at > 0 && bytes > most.bytes);
  });
  return all.slice(0, end === -1 ? undefined : end);
}

/**
 * A second HTML file turns the deep links of a single-page application into 404s. A site is taken for
 * one if its home page is an empty shell that loads a script, no page leads to another one, and no other
 * page loads a script of the site: those are pages of documentation, or applications of their own.
 */
function applicationWarning(
  { home, spa, rules }: SiteContent,
  files: Manifest,
  found: FoundLinks,
): ContentWarning[] {
  if (spa !== 'auto' || home !== 'index.html') return [];
  const others = [...files.keys()].filter(
    (path) => path !== home && isHtml(path) && !isProofOfOwner(path),
  );
  if (others.length === 0 || others.includes('404.html')) return [];
  const hasCatchAll = decodeRules(rules).redirects.some(({ from }) => from === '/*');
  if (hasCatchAll || !isLikelyApplication(home, others, found)) return [];
  const file = others[0] ?? '';
  const message = `${quoted(file)} is a second HTML file, so missing addresses get 404 and not the home page. If this is a single-page application, set \`spa\` to true.`;
  return [{ kind: 'application', file, message }];
}

/** Whether a script fills the home page, and the other pages belong to something else. */
function isLikelyApplication(
  home: string,
  others: readonly string[],
  { links, pages }: FoundLinks,
): boolean {
  const { hasOwnScript = false, isShell = false } = pages.get(home) ?? {};
  if (!hasOwnScript || !isShell) return false;
  const linked = new Set(
    links.filter(({ kind }) => kind === 'page').map(({ path }) => pageAt(path)),
  );
  return !others.some(
    (path) => pages.get(path)?.hasOwnScript === true || linked.has(pageAt(`/${path}`)),
  );
}

/**
 * The page that a path leads to: the same for `/about`, `/about.html`, `/about/` and
 * `/about/index.html`.
 */
function pageAt(path: string): string {
  const file = readRequestPath(path)?.path ?? '';
  return file.replace(/(?:^|\/)index\.html?$/, '').replace(/\.html?$/, '');
}

const namedFiles = 3;

/** Storage itself sends what is too large for a function, without most headers of the site. */
function largeFileWarning({ rules }: SiteContent, files: Manifest): ContentWarning[] {
  const { headers } = decodeRules(rules);
  const unsent = (path: string) =>
    [...fieldsFor(headers, { segments: path.split('/'), slash: false })].filter(
      ([name, value]) => largeFileFields.isolated[name] !== value,
    );
  const large = [...files].filter(
    ([path, { size, brotliBytes = size }]) =>
      brotliBytes > maxInlineBytes && unsent(path).length > 0,
  );
  const [[file] = []] = large;
  if (file === undefined) return [];
  const paths = large.map(([path]) => path);
  const names = [...new Set(paths.flatMap((path) => unsent(path).map(([name]) => name)))];
  const message = `Files over 4 MB get no headers of \`_headers\` but those of cross-origin isolation. ${someOf(paths)} will not have: ${names.join(', ')}.`;
  return [{ kind: 'limit', file, message: message.slice(0, 400) }];
}

/** One warning for all pages whose policy refuses our script: their opens cannot be confirmed. */
function policyWarning(
  site: SiteContent,
  files: Manifest,
  { pages }: FoundLinks,
): ContentWarning[] {
  const { headers } = decodeRules(site.rules);
  // Thousands of pages have the same long policy.
  const known = new Map<string, boolean>();
  const refuses = (policy: string) => {
    const refused = known.get(policy) ?? refusesScript(policy, anySite);
    known.set(policy, refused);
    return refused;
  };
  const refusedByHeader = (path: string) => {
    const fields = fieldsFor(headers, { segments: path.split('/'), slash: false });
    return policyHeaders.some((name) => refuses(fields.get(name) ?? ''));
  };
  const refused = [...files.keys()]
    .filter(isHtml)
    .slice(0, comparedAtMost(site))
    .filter((path) => pages.get(path)?.refusesScript === true || refusedByHeader(path));
  const [file] = refused;
  if (file === undefined) return [];
  const message = `${someOf(refused)}: the policy of these pages refuses the script that reports opens, so they get none, and their opens are not confirmed. Visits are counted all the same.`;
  return [{ kind: 'policy', file, message: message.slice(0, 400) }];
}

/** Stands for the site's address, which is not known yet; policies that name it are rare. */
const anySite = 'https://site.invalid';

function someOf(paths: readonly string[]): string {
  const names = paths.slice(0, namedFiles).map(quoted).join(', ');
  return paths.length > namedFiles ? `${names} and ${paths.length - namedFiles} more` : names;
}
