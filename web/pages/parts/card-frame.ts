import { logo, slipwayDrawing } from './drawings.ts';
import { type Html, html } from './html.ts';
import { type Page, renderPage } from './page.ts';

/** The card layout of pages where a person signs in or decides something. */
export function cardFrame(parts: {
  brand: string;
  title: string;
  /** The hull in the drawing: on the slope before a decision, afloat once the project is kept. */
  hull: 'ready' | 'afloat' | 'none';
  content: Html;
  /** Whether the response to its form redirects to another host. */
  leadsElsewhere?: boolean;
  /** Styles beside the common ones, a constant of ours. */
  style?: string;
}): Page {
  const { brand, title, hull, content, leadsElsewhere, style } = parts;
  const body = html`<header class="top"><p class="name display">${logo()}<span>${brand}</span></p></header>
<main class="sheet">
<div class="zone ${hull === 'afloat' ? 'afloat' : 'busy'} claim">
<div class="panel">
${content}
</div>
${slipwayDrawing(hull === 'none' ? 'none' : 'ready')}
</div>
</main>`;
  const forms = leadsElsewhere === true ? 'anywhere' : true;
  return renderPage({ brand, title, body, noIndex: true, forms, style });
}

/** A card that says what failed (`title`), what exactly was wrong (`detail`), and what to do next. */
export function problemCard(problem: {
  brand: string;
  status: number;
  title: string;
  detail: string | undefined;
  next: Html;
  leadsElsewhere?: boolean;
}): Page {
  const { brand, status, title, detail, next, leadsElsewhere = false } = problem;
  const content = html`<p class="status">${status}</p>
<h1>${title}</h1>
${detail !== undefined && html`<p>${detail}</p>`}
${next}`;
  return cardFrame({ brand, title, hull: 'none', content, leadsElsewhere });
}

/** A button that opens the page again. */
export const tryAgain = html`<div class="choices"><a class="button" href="">Try again</a></div>`;

/** Of a card for whoever reached a limit of requests. */
export const tooManyAttempts = {
  status: 429,
  title: 'Too many attempts',
  next: html`<p>Wait a minute, then try again.</p>${tryAgain}`,
};

/** A link to a project. It sends no referrer, because the address of this page holds a secret. */
export function projectLink(url: string): Html {
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${url.replace(/^https?:\/\//, '')}</a>`;
}
