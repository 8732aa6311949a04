import { mark } from './drawings.ts';
import { type Html, html } from './html.ts';
import { spellMoment } from './moments.ts';

/** The end of a project's life, where it has one. */
export interface Temporary {
  /** ISO 8601. */
  expiresAt: string;
}

/** What surrounds every page a visitor sees: the content first, our name small and last. */
export function visitorFrame(brand: string, content: Html): Html {
  return framed(content, html`<span>Published with ${brand}</span>`);
}

/** The same around what somebody published, with a way to say that it should not be. */
export function projectFrame(brand: string, content: Html): Html {
  const report = html`<a href="/_slipway/report" rel="nofollow">Report</a>`;
  return framed(content, html`<span>Published with ${brand}</span>${report}`);
}

function framed(content: Html, foot: Html): Html {
  return html`<main class="sheet">
${content}
</main>
<footer class="foot"><p>${mark()}${foot}</p></footer>`;
}

/** Says until when a temporary link works. */
export function temporaryNote(temporary: Temporary | undefined): Html {
  if (temporary === undefined) return html``;
  return html`<p class="note">Temporary link, works until <time datetime="${temporary.expiresAt}">${spellMoment(temporary.expiresAt)}</time>.</p>`;
}
