import { slipwayDrawing, logo } from './parts/drawings.ts';
import { type Html, html } from './parts/html.ts';
import { type Page, renderPage } from './parts/page.ts';

/** The page for addresses of the app that do not exist. */
export function missingPage(brand: string): Page {
  return messagePage(brand, {
    status: 404,
    title: 'Not found',
    heading: 'There is nothing at this address',
    text: html`<p>Check the address for typing errors. If somebody sent you the link, ask them for a new one.</p>`,
  });
}

/** The answer to a method that a page of the app does not accept. */
export function wrongMethodPage(brand: string): Page {
  return messagePage(brand, {
    status: 405,
    title: 'Not accepted',
    heading: 'This page does not accept what was sent to it',
    text: html`<p>Nothing was changed. Open the page again, and use the form on it if it has one.</p>`,
  });
}

function messagePage(
  brand: string,
  { status, title, heading, text }: { status: number; title: string; heading: string; text: Html },
): Page {
  const body = html`<header class="top"><p class="name display">${logo()}<span>${brand}</span></p></header>
<main class="sheet"><div class="message">
${slipwayDrawing('away')}
<p class="status">${status}</p>
<h1>${heading}</h1>
${text}
<p><a href="/">Go to the front page</a> or <a href="/docs">read the documentation</a>.</p>
</div></main>`;
  return renderPage({ brand, title, body, noIndex: true });
}
