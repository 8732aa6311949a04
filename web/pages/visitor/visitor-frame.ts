import { logo } from '../parts/drawings.ts';
import { type Html, html } from '../parts/html.ts';
import { formatInstant } from '../parts/format.ts';

/** A project that expires. */
export interface TemporaryProject {
  /** ISO 8601. */
  expiresAt: string;
}

/** The layout of every page for visitors: the content, then a small footer with the brand, unless it is ''. */
export function visitorFrame(brand: string, content: Html): Html {
  return html`<main class="sheet">
${content}
</main>
${brand !== '' && foot(html`<span>Published with ${brand}</span>`)}`;
}

/** The layout around published content: its footer also has a link to report abuse. */
export function projectFrame(brand: string, content: Html): Html {
  return html`<main class="sheet">
${content}
</main>
${projectFoot(brand)}`;
}

/** The footer of published content. */
export function projectFoot(brand: string): Html {
  const report = html`<a href="/_slipway/report" rel="nofollow">Report</a>`;
  return foot(html`<span>Published with ${brand}</span>${report}`);
}

function foot(content: Html): Html {
  return html`<footer class="foot"><p>${logo()}${content}</p></footer>`;
}

/** A note that says when a temporary link expires. */
export function temporaryNote(temporary: TemporaryProject | undefined): Html {
  if (temporary === undefined) return html``;
  return html`<p class="note">Temporary link, works until <time datetime="${temporary.expiresAt}">${formatInstant(temporary.expiresAt)}</time>.</p>`;
}
