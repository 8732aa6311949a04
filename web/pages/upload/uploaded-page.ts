import { cardFrame } from '../parts/card-frame.ts';
import { projectLink } from '../claim/claim-summary.ts';
import { html, named } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';

/** What a plain form of an upload link leads to: the files are online. */
export function uploadedPage(uploaded: { brand: string; title: string; url: string }): Page {
  const { brand, title, url } = uploaded;
  const content = html`<h1>It is published</h1>
<div class="item"><p><strong>${named(title)}</strong>${projectLink(url)}</p></div>
<p>Keep the address: it is shown only here. Large uploads take a minute until they are complete.</p>
<p class="muted">The upload link is used up.</p>`;
  return cardFrame({ brand, title: 'It is published', hull: 'afloat', content });
}
