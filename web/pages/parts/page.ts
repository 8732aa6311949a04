import { createHash } from 'node:crypto';
import { stylesheet } from '../../styles/stylesheet.ts';
import { favicon } from './drawings.ts';
import { type Html, html, trusted } from './html.ts';
import { type SharingMetadata, sharingTags } from './sharing.ts';
import type { Viewer } from '../../../core/content/detect-type.ts';

/** A whole document, and the Content-Security-Policy header that belongs to it. */
export interface Page {
  html: string;
  csp: string;
  /** The same page with parts that depend on the visit. */
  with(more: VisitParts): Page;
}

/** Parts of a page that depend on the visit, not on the page’s content. */
export interface VisitParts {
  /** Replaces the whole title, the brand included. */
  fullTitle?: string | undefined;
  description?: string | undefined;
  /** The origins that may show it in a frame: `true` for its own, `anywhere` for all. */
  framed?: boolean | 'anywhere';
  /** Only for a page that everybody may see. */
  sharing?: SharingMetadata | undefined;
  /** The script that reports an open. */
  open?: OpenScript | undefined;
}

interface PageParts extends VisitParts {
  /** '' for a page that names no service. */
  brand: string;
  title: string;
  body: Html;
  noIndex?: boolean;
  /** Inline script, a constant of ours; it may talk to its own origin. */
  script?: string;
  /**
   * Whether it runs the script of `web/app/page-scripts`, which may talk to its own origin: only for pages of
   * the app's host, where `'self'` is the service alone.
   */
  appScript?: boolean;
  /** Another origin that its script may talk to. */
  connect?: string;
  /**
   * Whether its forms may be sent, to its own origin. `anywhere` where the answer leads to another
   * one: Chromium and Safari apply the policy to redirects after a form too.
   */
  forms?: boolean | 'anywhere';
  /** Styles beside the common ones, a constant of ours. */
  style?: string | undefined;
  /** Scripts of the service that it loads. */
  loads?: PageScripts;
}

/** The address of the script that reports an open. */
export interface OpenScript {
  /** Scheme, host and port of the site. */
  origin: string;
  path: string;
}

/** Scripts that a page loads from its own site, and what they may do. */
export interface PageScripts {
  /** Scheme, host and port of the site. `'self'` would let uploads run: they have the same origin. */
  origin: string;
  /** Paths below `/_slipway/assets/`; each is a module and runs once the document is there. */
  scripts: readonly string[];
  /** More sources, by directive: `{ 'worker-src': ['blob:'] }`. */
  allow?: Readonly<Record<string, readonly string[]>>;
}

/** The path of that script among the web app's files (`scripts/web-app/build-web-app.ts`). */
const appScriptPath = '/dashboard/pages.js';

/** Without it, browsers ask for /favicon.ico. */
const noIcon = 'data:,';

/**
 * Renders a self-contained document. Its policy allows no request beyond those that `appScript`, `loads` and `open` name.
 *
 * The hashes in the policy are of the exact text between the tags (CSP Level 3, section 6.7.3);
 * anything injected around them does not run.
 */
export function renderPage(parts: PageParts): Page {
  const { brand, title, body, description, noIndex, script, style, loads, sharing, open } = parts;
  const { appScript } = parts;
  const fullTitle = parts.fullTitle ?? (brand === '' ? title : `${title} · ${brand}`);
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${fullTitle}</title>
${description !== undefined && html`<meta name="description" content="${description}">`}
${noIndex === true && html`<meta name="robots" content="noindex">`}
${sharing !== undefined && sharingTags(sharing)}
<link rel="icon" href="${brand === '' ? noIcon : favicon}">
<style>${trusted(stylesheet)}</style>
${style !== undefined && html`<style>${trusted(style)}</style>`}
${open !== undefined && html`<script src="${open.path}" async></script>`}
${appScript === true && html`<script type="module" src="${appScriptPath}"></script>`}
${loads?.scripts.map((path) => html`<script type="module" src="${path}"></script>`)}
</head>
<body>
${body}
${script !== undefined && html`<script>${trusted(script)}</script>`}
</body>
</html>
`;
  return {
    html: document.toString(),
    csp: policyOf(parts),
    with: (more) => renderPage({ ...parts, ...more }),
  };
}

const styleSource = source(stylesheet);

function policyOf(parts: PageParts): string {
  const { style, connect, forms, framed, loads } = parts;
  const scripts = scriptSources(parts);
  const directives = new Map<string, readonly string[]>([
    ['default-src', ["'none'"]],
    ['style-src', [styleSource, ...(style === undefined ? [] : [source(style)])]],
    ['img-src', ["'self'", 'data:']],
    ...(scripts.length === 0
      ? []
      : ([
          ['script-src', scripts],
          ['connect-src', ["'self'", ...(connect === undefined ? [] : [connect])]],
        ] as const)),
    ...(loads === undefined ? [] : loadDirectives(loads)),
    ['base-uri', ["'none'"]],
    ...(forms === 'anywhere' ? [] : [formAction(forms)]),
    ['frame-ancestors', [ancestors(framed)]],
  ]);
  for (const [name, sources] of Object.entries(loads?.allow ?? {})) {
    directives.set(name, [...(directives.get(name) ?? []), ...sources]);
  }
  return [...directives].map(([name, sources]) => [name, ...sources].join(' ')).join('; ');
}

function formAction(forms: boolean | undefined): [string, string[]] {
  return ['form-action', [forms === true ? "'self'" : "'none'"]];
}

function ancestors(framed: PageParts['framed']): string {
  if (framed === 'anywhere') return '*';
  return framed === true ? "'self'" : "'none'";
}

function scriptSources({ script, appScript, loads, open }: PageParts): string[] {
  return [
    ...(appScript === true ? ["'self'"] : []),
    ...(script === undefined ? [] : [source(script)]),
    ...(open === undefined ? [] : [open.origin + open.path]),
    ...(loads === undefined ? [] : [`${loads.origin}${assetsPath}`]),
  ];
}

/** A viewer shows files of the site and images that its script creates. */
function loadDirectives({ origin }: PageScripts): [string, string[]][] {
  return [
    ['img-src', ["'self'", 'data:', 'blob:']],
    ['media-src', ["'self'"]],
    ['font-src', [`${origin}${assetsPath}`]],
    ['worker-src', [`${origin}${assetsPath}`]],
    ['object-src', ["'none'"]],
  ];
}

function source(inline: string): string {
  return `'sha256-${createHash('sha256').update(inline, 'utf8').digest('base64')}'`;
}

/** Files that pages load: the scripts of `web/viewers/` and the data of their packages. */
type AssetName =
  | Viewer
  | 'code'
  | 'json-tree'
  | 'text-encoding'
  | 'calendar'
  | 'gallery'
  | 'diagrams'
  | 'diagram-frame'
  | 'open'
  | 'pdf-worker'
  | 'pdf-data'
  | 'jxl-decoder'
  | 'heic-decoder'
  | 'sqlite'
  | 'model-decoders'
  | 'archive-worker'
  | 'arrow-worker'
  | 'database-worker'
  | 'parquet-worker'
  | 'heic-worker'
  | 'radiance-worker'
  | 'jpx-worker'
  | 'picture-worker'
  | 'page-worker'
  | 'reader-worker'
  | 'seven-zip-worker'
  | 'sheet-worker'
  | 'table-worker';

/** The path of every asset on every site, as `/_slipway/assets/pdf-1A2B3C4D.js`; that of data ends in a slash. */
export type Assets = Record<AssetName, string>;

/** The folder of all assets, on every site. */
const assetsPath = '/_slipway/assets/';
