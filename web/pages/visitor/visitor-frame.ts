import { mark } from '../parts/drawings.ts';
import { type Html, html } from '../parts/html.ts';
import { spellMoment } from '../parts/moments.ts';

/** The end of a project's life, where it has one. */
export interface Temporary {
  /** ISO 8601. */
  expiresAt: string;
}

/** What surrounds every page a visitor sees: the content first, our name small and last. */
export function visitorFrame(brand: string, content: Html): Html {
  return html`<main class="sheet">
${content}
</main>
${foot(html`<span>Published with ${brand}</span>`)}`;
}

/** The same around what somebody published, with a way to say that it should not be. */
export function projectFrame(brand: string, content: Html): Html {
  return html`<main class="sheet">
${content}
</main>
${projectFoot(brand)}`;
}

/** The last line of what somebody published. */
export function projectFoot(brand: string): Html {
  const report = html`<a href="/_slipway/report" rel="nofollow">Report</a>`;
  return foot(html`<span>Published with ${brand}</span>${report}`);
}

function foot(content: Html): Html {
  return html`<footer class="foot"><p>${mark()}${content}</p></footer>`;
}

/** Says until when a temporary link works. */
export function temporaryNote(temporary: Temporary | undefined): Html {
  if (temporary === undefined) return html``;
  return html`<p class="note">Temporary link, works until <time datetime="${temporary.expiresAt}">${spellMoment(temporary.expiresAt)}</time>.</p>`;
}
