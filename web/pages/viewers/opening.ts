import { type Html, html } from '../parts/html.ts';
import { relativeHref } from '../parts/relative-href.ts';
import type { Viewed } from './viewer-page.ts';

/**
 * Where a script shows a file that is in no form of the web's own.
 *
 * @param kind its class is `<kind>-view`
 */
export function opening(kind: string, { file, isSavable }: Viewed): Html {
  return html`<div class="${kind}-view" data-viewer data-source="${relativeHref(file.href)}" data-name="${file.name}">
<p class="muted loading" role="status" data-loading>Opening the file …</p>
<noscript><p class="loading">This page needs JavaScript to show the file.${isSavable && ' Without it, the file can be downloaded.'}</p></noscript>
<div class="stage" data-stage></div>
</div>
<div class="fault" role="alert" data-fault hidden><strong>This file cannot be shown here</strong><p data-reason></p>${isSavable && html`<p>Download it to open it on your device.</p>`}</div>`;
}

/** What goes with {@link opening}. */
export const openingStyle = `
.loading{padding:3rem 1rem;text-align:center}
@media (scripting:none){[data-loading]{display:none}}
`;
