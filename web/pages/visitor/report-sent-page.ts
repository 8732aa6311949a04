import { html } from '../parts/html.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { visitorFrame } from './visitor-frame.ts';

/** Thanks whoever reported a site. */
export function reportSentPage({ brand }: { brand: string }): Page {
  const title = 'Thank you, the report has arrived';
  const body = visitorFrame(
    brand,
    html`<div class="message">
<h1>${title}</h1>
<p>Somebody reads it and looks at the site. If you left an e-mail address, you may be asked for more.</p>
<p><a href="/">Go back to the site</a></p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}
