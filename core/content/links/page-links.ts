import { SAXParser } from 'parse5-sax-parser';
import { refusesScript } from '../../page-edits/script-policy.ts';
import { toUrlPath } from '../../visit/protocol/request-path.ts';
import { isElsewhere, resolveOwn } from './own-address.ts';

/** A reference from a file of a site to an address of the same site. */
export interface SiteLink {
  /** Absolute and percent-encoded, without query and fragment. */
  path: string;
  /** Whether a browser opens it (`<a href>`), or loads it into the page. */
  kind: 'page' | 'asset';
}

/** Facts from a page about its site. */
export interface PageFacts {
  links: SiteLink[];
  /** Whether it loads a script of the site. */
  hasOwnScript: boolean;
  /** Whether it has almost no text and no links to pages, so that a script must fill it. */
  isShell: boolean;
  /** Whether its policy refuses our script that reports opens. */
  refusesScript: boolean;
}

/** A page with more references is read up to this number. */
const maxLinks = 2000;

/** A longer `<base>` is ignored: it would be parsed again for each reference. */
const maxBaseLength = 2048;

/** A name that no site has (RFC 2606). */
const anyHost = 'https://site.invalid';

/** Relations of `<link>` that a browser loads. */
const loadedRelations =
  /(?:^|\s)(?:stylesheet|icon|apple-touch-icon|manifest|modulepreload|preload|prefetch|mask-icon)(?:\s|$)/i;

/** Attributes with an address, by element. */
const addressAttributes: Readonly<Record<string, readonly [name: string, SiteLink['kind']][]>> = {
  a: [['href', 'page']],
  area: [['href', 'page']],
  audio: [['src', 'asset']],
  embed: [['src', 'asset']],
  iframe: [['src', 'page']],
  image: [['href', 'asset']],
  img: [['src', 'asset']],
  link: [['href', 'asset']],
  object: [['data', 'asset']],
  script: [['src', 'asset']],
  source: [['src', 'asset']],
  track: [['src', 'asset']],
  video: [
    ['src', 'asset'],
    ['poster', 'asset'],
  ],
};

/**
 * A tokenizer that is fed synchronously. It does not track positions: that would take three
 * quarters of the time, because each word of a text is a token.
 */
class PageTokenizer extends SAXParser {
  feed(text: string): void {
    this.tokenizer.write(text, true);
  }

  /** Ends where too many elements of SVG and MathML, and of HTML directly within them, are open. */
  stopWhereDeep(): void {
    const open: unknown = Reflect.get(this.parserFeedbackSimulator, 'namespaceStack');
    if (Array.isArray(open) && open.length > maxNamespaces) this.stop();
  }
}

/** The tokenizer moves all that are open at each such element, n² steps. Drawings have a few within one another. */
const maxNamespaces = 500;

/**
 * The references of a page to its own site, as a browser resolves them. Pure; never throws for any
 * content. Addresses that scripts make are not found.
 */
export function readPage(text: string, path: string): PageFacts {
  const facts: PageFacts = { links: [], hasOwnScript: false, isShell: true, refusesScript: false };
  const shown = shownText();
  let base: string | undefined = anyHost + toUrlPath(path);
  let hasBase = false;
  const tokens = new PageTokenizer();
  tokens.on('text', ({ text: words }) => shown.add(words));
  tokens.on('endTag', ({ tagName }) => shown.close(tagName));
  tokens.on('startTag', ({ tagName, attrs }) => {
    shown.open(tagName);
    tokens.stopWhereDeep();
    const values = new Map(attrs.map(({ name, value }) => [name, value]));
    const href = tagName === 'base' && !hasBase ? values.get('href') : undefined;
    if (href !== undefined) {
      hasBase = true;
      base &&= baseOf(href, base);
    }
    facts.refusesScript ||= tagName === 'meta' && isStrictPolicy(values);
    if (facts.links.length >= maxLinks && tagName !== 'script') return;
    for (const link of linksOfTag(tagName, values, base)) {
      if (tagName === 'script') facts.hasOwnScript = true;
      if (facts.links.length < maxLinks) facts.links.push(link);
    }
  });
  tokens.feed(text);
  const leadsOn = facts.links.some(({ kind }) => kind === 'page');
  facts.isShell = !leadsOn && shown.characters() < shellCharacters;
  return facts;
}

/**
 * What the references of a page are relative to; `undefined` for another site. Letters of other scripts are nine
 * characters of an address: its length counts once it is resolved, too.
 */
function baseOf(href: string, page: string): string | undefined {
  if (isElsewhere(href)) return undefined;
  const base = href.length > maxBaseLength ? undefined : resolveOwn(href, page)?.href;
  return base === undefined || base.length > maxBaseLength ? page : base;
}

/** "Loading…", and a sentence or two. */
const shellCharacters = 120;

/** Elements whose text nobody sees while scripts run. */
const unseen = new Set(['noscript', 'script', 'style', 'template', 'title']);

/** Counts the characters that a page shows before any script runs. */
function shownText() {
  let count = 0;
  let within: string | undefined;
  return {
    open(tagName: string) {
      if (unseen.has(tagName)) within ??= tagName;
    },
    close(tagName: string) {
      if (within === tagName) within = undefined;
    },
    add(words: string) {
      if (within === undefined) count += words.trim().length;
    },
    characters: () => count,
  };
}

/** Whether a `<meta>` is a policy that refuses our script. */
function isStrictPolicy(values: ReadonlyMap<string, string>): boolean {
  if (values.get('http-equiv')?.toLowerCase() !== 'content-security-policy') return false;
  return refusesScript(values.get('content') ?? '', anyHost);
}

function linksOfTag(
  tagName: string,
  values: ReadonlyMap<string, string>,
  base: string | undefined,
): SiteLink[] {
  if (tagName === 'link' && !loadedRelations.test(values.get('rel') ?? '')) return [];
  const named = (addressAttributes[tagName] ?? []).flatMap(([name, kind]) => {
    const path = sitePath(values.get(name), base);
    return path === undefined ? [] : [{ path, kind }];
  });
  const sets = tagName === 'img' || tagName === 'source' ? (values.get('srcset') ?? '') : '';
  return [...named, ...sourceSet(sets, base)];
}

/** The addresses of `srcset`: each is followed by its width or density. */
function sourceSet(text: string, base: string | undefined): SiteLink[] {
  if (text === '' || text.includes('data:')) return [];
  return text.split(/,\s+|,$/, maxLinks).flatMap((one) => {
    const path = sitePath(one.trim().split(/\s/)[0], base);
    return path === undefined ? [] : [{ path, kind: 'asset' as const }];
  });
}

/** Every repetition is bounded or ends at the first other character, so that no text makes it slow. */
const styleAddress =
  /url\(\s{0,9}(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]*))\s{0,9}\)|@import\s{1,9}["']([^"'\n]*)["']/gi;

function withoutComments(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf('/*', at);
    const end = start === -1 ? -1 : text.indexOf('*/', start + 2);
    parts.push(text.slice(at, start === -1 ? undefined : start));
    if (end === -1) return parts.join(' ');
    at = end + 2;
  }
}

/** The references of a style sheet: `url(…)` and `@import`. Pure; never throws for any content. */
export function readStyleSheet(text: string, path: string): SiteLink[] {
  const base = anyHost + toUrlPath(path);
  const links: SiteLink[] = [];
  for (const [, quoted, single, bare, imported] of withoutComments(text).matchAll(styleAddress)) {
    const found = sitePath(quoted ?? single ?? bare ?? imported, base);
    if (found !== undefined) links.push({ path: found, kind: 'asset' });
    if (links.length >= maxLinks) break;
  }
  return links;
}

/** The path of an address of the same site; `undefined` for another site, a fragment or an address of ours. */
function sitePath(written: string | undefined, base: string | undefined): string | undefined {
  const text = written?.trim() ?? '';
  // Ignores templates that a script fills (`{{ url }}`, `${url}`), and pages in another encoding.
  if (text === '' || text.startsWith('#') || /[{}<>\ufffd]/.test(text)) return undefined;
  const path = base === undefined ? undefined : resolveOwn(text, base)?.pathname;
  return path?.startsWith('/_slipway/') === true ? undefined : path;
}
