import { mark, slipway } from './drawings.ts';
import { type Html, html } from './html.ts';
import { type Page, renderPage } from './page.ts';

/** The card of pages where a person signs in and decides: what is said and asked, above the slipway. */
export function cardFrame(parts: {
  brand: string;
  title: string;
  /** On the slope while it is undecided, afloat once the project is kept. */
  hull: 'ready' | 'afloat' | 'none';
  content: Html;
  /** Whether its form is answered with the way to another host. */
  leadsElsewhere?: boolean;
  /** Styles beside the common ones, a constant of ours. */
  style?: string;
}): Page {
  const { brand, title, hull, content, leadsElsewhere, style } = parts;
  const body = html`<header class="top"><p class="name display">${mark()}<span>${brand}</span></p></header>
<main class="sheet">
<div class="zone ${hull === 'afloat' ? 'afloat' : 'busy'} claim">
<div class="panel">
${content}
</div>
${slipway(hull === 'none' ? 'none' : 'ready')}
</div>
</main>`;
  const forms = leadsElsewhere === true ? 'anywhere' : true;
  return renderPage({ brand, title, body, noIndex: true, forms, style });
}
