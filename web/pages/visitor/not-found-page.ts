import { slipway } from '../parts/drawings.ts';
import { html } from '../parts/html.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { visitorFrame } from './visitor-frame.ts';

const texts = {
  site: {
    title: 'There is nothing at this address',
    what: 'No page is published here. The address may have a typing error, or the page was taken down.',
    next: html`<p>Check the address letter by letter, or ask the person who sent it for a new link.</p>`,
  },
  file: {
    title: 'This page does not exist',
    what: 'The site is here, but nothing is published under this part of its address.',
    next: html`<p>Check the address, or <a href="/">go to the start of this site</a>.</p>`,
  },
} as const;

/**
 * 404, for a host that serves no site, or for a site without such a file.
 *
 * The address is not repeated: whoever writes a link must not be able to write on this page.
 */
export function notFoundPage({ brand, kind }: { brand: string; kind: 'site' | 'file' }): Page {
  const { title, what, next } = texts[kind];
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipway('none')}
<p class="status">404</p>
<h1>${title}</h1>
<p>${what}</p>
${next}
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}
