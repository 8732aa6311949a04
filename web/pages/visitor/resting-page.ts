import { slipway } from '../parts/drawings.ts';
import { html } from '../parts/html.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { visitorFrame } from './visitor-frame.ts';

/** 503: the account has had far more visits this month than its plan serves. */
export function restingPage({ brand }: { brand: string }): Page {
  const title = 'Resting until next month';
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipway('away')}
<p class="status">503</p>
<h1>${title}</h1>
<p>This page has had more visitors this month than its owner’s plan serves. It comes back by itself on the first day of next month.</p>
<p class="note">Is it yours? A larger plan brings it back at once.</p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}
