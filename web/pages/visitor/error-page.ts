import { slipway } from '../parts/drawings.ts';
import { html } from '../parts/html.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { visitorFrame } from './visitor-frame.ts';

/** Any other refusal, such as 405 and 503; `text` says what happened and what to do. */
export function errorPage(error: {
  brand: string;
  status: number;
  title: string;
  text: string;
}): Page {
  const { brand, status, title, text } = error;
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipway('none')}
<p class="status">${status}</p>
<h1>${title}</h1>
<p>${text}</p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}
