import { createHash } from 'node:crypto';
import { stylesheet } from '../../styles/stylesheet.ts';
import { assetsPath } from './assets.ts';
import { favicon } from './drawings.ts';
import { type Html, html, trusted } from './html.ts';
import { type Sharing, sharingTags } from './sharing.ts';

/** A whole document, and the Content-Security-Policy header that belongs to it. */
export interface Page {
  html: string;
  csp: string;
  /** The same page with more of what depends on who may see it. */
  with(more: VisitParts): Page;
}

/** What a page gets that whoever made it did not know of. */
export interface VisitParts {
  /** All of the title, in place of the page's own with our name. */
  fullTitle?: string | undefined;
  description?: string | undefined;
  /** Whether pages may show it in a frame: those of the same origin, or any. */
  framed?: boolean | 'anywhere';
  /** Only for a page that everybody may see. */
  sharing?: Sharing | undefined;
  /** The script that tells of an open. */
  open?: OpenScript | undefined;
}

/** What a page is made of. */
interface PageParts extends VisitParts {
  brand: string;
  title: string;
  body: Html;
  noIndex?: boolean;
  /** Inline script, a constant of ours; it may talk to its own origin. */
  script?: string;
  /** Another origin that the script may talk to. */
  connect?: string;
  /**
   * Whether its forms may be sent, to its own origin. `anywhere` where the answer leads to another
   * one: Chromium and Safari hold redirects after a form to the policy as well.
   */
  forms?: boolean | 'anywhere';
  /** Styles beside the common ones, a constant of ours. */
  style?: string | undefined;
  /** Files of ours that it loads. */
  loads?: Loads;
}

/** Where a site has the script that tells of an open. */
export interface OpenScript {
  /** Scheme, host and port of the site. */
  origin: string;
  path: string;
}

/** Scripts that a page loads from its own site, and what they may do. */
export interface Loads {
  /** Scheme, host and port of the site. `'self'` would let uploads run: they have the same origin. */
  origin: string;
  /** Paths below `/_slipway/assets/`; each is a module and runs once the document is there. */
  scripts: readonly string[];
  /** More sources, by directive: `{ 'worker-src': ['blob:'] }`. */
  allow?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Renders a document that needs nothing but itself: no other request is made, and none is allowed.
 *
 * The hashes in the policy are of the exact text between the tags (CSP Level 3, section 6.7.3);
 * anything injected around them stays without effect.
 */
export function renderPage(parts: PageParts): Page {
  const { brand, title, body, description, noIndex, script, style, loads, sharing, open } = parts;
  const fullTitle = parts.fullTitle ?? `${title} · ${brand}`;
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
<link rel="icon" href="${favicon}">
<style>${trusted(stylesheet)}</style>
${style !== undefined && html`<style>${trusted(style)}</style>`}
${open !== undefined && html`<script src="${open.path}" async></script>`}
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
  const { script, style, connect, forms, framed, loads, open } = parts;
  const directives = new Map<string, readonly string[]>([
    ['default-src', ["'none'"]],
    ['style-src', [styleSource, ...(style === undefined ? [] : [source(style)])]],
    ['img-src', ["'self'", 'data:']],
    ...((script ?? loads ?? open) === undefined
      ? []
      : ([
          ['script-src', scriptSources(parts)],
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

function scriptSources({ script, loads, open }: PageParts): string[] {
  return [
    ...(script === undefined ? [] : [source(script)]),
    ...(open === undefined ? [] : [open.origin + open.path]),
    ...(loads === undefined ? [] : [`${loads.origin}${assetsPath}`]),
  ];
}

/** What a viewer shows: files of the site, and pictures that its script has made. */
function loadDirectives({ origin }: Loads): [string, string[]][] {
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
