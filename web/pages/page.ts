import { createHash } from 'node:crypto';
import { stylesheet } from '../styles/stylesheet.ts';
import { favicon } from './drawings.ts';
import { type Html, html, trusted } from './html.ts';

/** A whole document, and the Content-Security-Policy header that belongs to it. */
export interface Page {
  html: string;
  csp: string;
}

/** What a page is made of. */
interface PageParts {
  brand: string;
  title: string;
  body: Html;
  description?: string;
  noIndex?: boolean;
  /** Inline script, a constant of ours; it may talk to its own origin. */
  script?: string;
  /** Another origin that the script may talk to. */
  connect?: string;
  /** Whether its forms may be sent, to its own origin. */
  forms?: boolean;
  /** Whether pages of the same origin may show it in a frame. */
  framed?: boolean;
}

/**
 * Renders a document that needs nothing but itself: no other request is made, and none is allowed.
 *
 * The hashes in the policy are of the exact text between the tags (CSP Level 3, section 6.7.3);
 * anything injected around them stays without effect.
 */
export function renderPage(parts: PageParts): Page {
  const { brand, title, body, description, noIndex, script } = parts;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${brand}</title>
${description !== undefined && html`<meta name="description" content="${description}">`}
${noIndex === true && html`<meta name="robots" content="noindex">`}
<link rel="icon" href="${favicon}">
<style>${trusted(stylesheet)}</style>
</head>
<body>
${body}
${script !== undefined && html`<script>${trusted(script)}</script>`}
</body>
</html>
`;
  return { html: document.toString(), csp: policyOf(parts) };
}

const styleSource = source(stylesheet);

function policyOf({ script, connect, forms, framed }: PageParts): string {
  const connected = connect === undefined ? "'self'" : `'self' ${connect}`;
  return [
    "default-src 'none'",
    `style-src ${styleSource}`,
    "img-src 'self' data:",
    ...(script === undefined ? [] : [`script-src ${source(script)}`, `connect-src ${connected}`]),
    "base-uri 'none'",
    `form-action ${forms === true ? "'self'" : "'none'"}`,
    `frame-ancestors ${framed === true ? "'self'" : "'none'"}`,
  ].join('; ');
}

function source(inline: string): string {
  return `'sha256-${createHash('sha256').update(inline, 'utf8').digest('base64')}'`;
}
