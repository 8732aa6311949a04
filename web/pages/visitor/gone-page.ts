import { slipway } from '../parts/drawings.ts';
import { html } from '../parts/html.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { visitorFrame } from './visitor-frame.ts';

/** 410: the time of a project is over. Says nothing about what it was or whether it was protected. */
export function gonePage({ brand }: { brand: string }): Page {
  const title = 'This link has expired';
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipway('away')}
<p class="status">410</p>
<h1>${title}</h1>
<p>It worked for a limited time, and that time is over. What was here has been withdrawn.</p>
<p>If you still need it, ask the person who sent you the link for a new one.</p>
<p class="note">Was it yours? Publish it again for a new link. Without an account, a claim link comes with it: open that in time to keep the project.</p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}
