import { slipway } from '../parts/drawings.ts';
import { html } from '../parts/html.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { visitorFrame } from './visitor-frame.ts';

/** What an owner's link shows to whoever opens links ahead of people: a button that uses it. */
export function ownerLinkPage({ brand, token }: { brand: string; token: string }): Page {
  const title = 'View as the owner';
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipway('none')}
<h1>${title}</h1>
<p>This link opens the page in this browser, whoever else may see it. What you look at counts as your own views.</p>
<form class="form" method="post" action="/_slipway/owner">
<input type="hidden" name="token" value="${token}">
<div class="choices"><button class="button" type="submit" autofocus>Open the page</button></div>
</form>
<p class="note">The link works once. You stay signed in to this page for a day, at most until its access or its password changes.</p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true, forms: true });
}
