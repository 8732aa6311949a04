import { cardFrame } from '../parts/card-frame.ts';
import { projectLink } from './claim-summary.ts';
import { html, named } from '../parts/html.ts';
import { spellMoment } from '../parts/moments.ts';
import type { Page } from '../parts/page.ts';

/** The last page of a claim link: the project is kept, by whom and until when. */
export function claimedPage(claimed: {
  brand: string;
  project: { title: string; url: string };
  /** ISO 8601; null when it has no end. */
  expiresAt: string | null;
  email: string;
}): Page {
  const { brand, project, expiresAt, email } = claimed;
  const until =
    expiresAt === null
      ? html`It stays online until you delete it.`
      : html`It stays online until <time datetime="${expiresAt}">${spellMoment(expiresAt)}</time>.`;
  const content = html`<h1>The project is yours</h1>
<div class="item"><p><strong>${named(project.title)}</strong>${projectLink(project.url)}</p></div>
<p>${until} The link stays the same.</p>
<p class="muted">It belongs to the account of ${named(email)}. The claim link is used up.</p>`;
  return cardFrame({ brand, title: 'The project is yours', hull: 'afloat', content });
}
