import { slipway } from '../parts/drawings.ts';
import { html } from '../parts/html.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { visitorFrame } from './visitor-frame.ts';

/** 451: the operator keeps a project from everybody. Why is said to its owner alone. */
export function withheldPage({ brand }: { brand: string }): Page {
  const title = 'This page is withheld';
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipway('away')}
<p class="status">451</p>
<h1>${title}</h1>
<p>Whoever runs this service has taken the page down, after a report or for legal reasons.</p>
<p class="note">Is it yours? Sign in to your account: it says why.</p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}
