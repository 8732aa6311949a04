import { cardFrame } from '../parts/card-frame.ts';
import { type ClaimProject, claimSummary } from './claim-summary.ts';
import { html } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { type CodeAsked, codeForm } from '../parts/sign-in-forms.ts';

/** The second page of a claim link: the code from the e-mail. */
export function claimCodePage(
  claim: { brand: string; project: ClaimProject; now: Date } & CodeAsked,
): Page {
  const { brand, project, now, ...asked } = claim;
  const content = html`<h1>Enter the code</h1>
${codeForm('Keep it', asked)}
<div class="form">
${claimSummary(project, now)}
</div>`;
  return cardFrame({ brand, title: 'Enter the code', hull: 'ready', content });
}
