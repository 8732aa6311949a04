import { html } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { relativeHref } from '../parts/relative-href.ts';
import { type ViewerInput, viewerError, viewerFrame } from './viewer-frame.ts';

/** The text layer lies over the picture of its page, transparent, so that text can be selected and found. */
const style = `
.sheets{flex:1;min-height:60vh;padding:1rem clamp(.25rem,2vw,1.5rem);overflow-x:auto;background:var(--ground)}
.leaf{--scale-round-x:1px;--scale-round-y:1px;position:relative;width:calc(var(--total-scale-factor)*var(--wide)*1px);height:calc(var(--total-scale-factor)*var(--high)*1px);margin:0 auto 1rem;background:#fff;box-shadow:0 1px 3px #0004;scroll-margin-top:4rem}
.leaf canvas{position:absolute;inset:0;width:100%;height:100%}
.leaf>a{position:absolute;border-radius:2px}
.leaf>a:hover{background:#17616d22}
.letters{--min-font-size:1;--text-scale-factor:calc(var(--total-scale-factor)*var(--min-font-size));--min-font-size-inv:calc(1/var(--min-font-size));color-scheme:only light;position:absolute;inset:0;overflow:clip;line-height:1;text-align:initial;text-size-adjust:none;-webkit-text-size-adjust:none;forced-color-adjust:none;transform-origin:0 0}
.letters :is(span,br){position:absolute;color:transparent;white-space:pre;overflow-wrap:normal;cursor:text;transform-origin:0 0}
.letters>:not(.markedContent),.letters .markedContent span:not(.markedContent){z-index:1;--font-height:0;--scale-x:1;--rotate:0deg;font-size:calc(var(--text-scale-factor)*var(--font-height));transform:rotate(var(--rotate)) scaleX(var(--scale-x)) scale(var(--min-font-size-inv))}
.letters .markedContent{display:contents}
.letters ::selection{background:#17616d55;color:transparent}
.letters[data-main-rotation="90"]{transform:rotate(90deg) translateY(-100%)}
.letters[data-main-rotation="180"]{transform:rotate(180deg) translate(-100%,-100%)}
.letters[data-main-rotation="270"]{transform:rotate(270deg) translateX(-100%)}
.hiddenCanvasElement{position:absolute;top:0;left:0;width:0;height:0;display:none}
.late{display:block;visibility:hidden;animation:late 0s 6s forwards}
@keyframes late{to{visibility:visible}}
@media (prefers-reduced-motion:reduce){.late{visibility:visible}}
.unlock p{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:.5rem}
.unlock input{flex:1;min-width:8rem;min-height:2.75rem;padding:0 .75rem;border:1px solid var(--edge);border-radius:8px;background:var(--paper);color:inherit;font:inherit}
.loading{padding:3rem 1rem;text-align:center}
`;

/** A PDF. pdf.js draws each page when it comes into view. */
export function pdfPage(input: ViewerInput): Page {
  const { file, assets } = input;
  const href = relativeHref(file.href);
  const stage = html`<div class="tools" role="group" aria-label="Pages and zoom" hidden>
<button type="button" data-step="-1" aria-label="Previous page">↑</button><label><span class="unseen">Page</span><input inputmode="numeric" autocomplete="off" value="1"> / <span data-pages></span></label><button type="button" data-step="1" aria-label="Next page">↓</button><i></i><button type="button" data-zoom="out" aria-label="Zoom out">−</button><output aria-live="polite" aria-label="Size"></output><button type="button" data-zoom="in" aria-label="Zoom in">+</button><button type="button" data-zoom="fit" aria-label="Fit to width">Fit</button>
</div>
<div class="sheets" role="region" aria-label="Document" tabindex="0" data-file="${href}" data-bytes="${file.bytes}" data-worker="${assets['pdf-worker']}" data-data="${assets['pdf-data']}">
<p class="muted loading">Opening the document …${input.isSavable && html` <span class="late">Is it taking too long? <a href="${href}">Open it</a> in your browser’s own viewer.</span>`}</p>
<noscript><p class="loading">${input.isSavable ? html`This page needs JavaScript. Without it, <a href="${href}">open the document</a> in your browser’s own viewer.` : 'This page needs JavaScript to show the document.'}</p></noscript>
</div>
<form class="fault unlock" id="locked" hidden>
<label for="document-password"><strong>This document needs a password</strong></label>
<p>It is opened in your browser; the password is sent nowhere.</p>
<p><input id="document-password" type="password" autocomplete="off" required> <button class="button" type="submit">Open</button></p>
<output role="alert"></output>
</form>
${viewerError('damaged', 'This document cannot be shown', 'The file is damaged, or it is not a PDF. Ask the person who sent you the link for a new one.')}
${viewerError('unfetched', 'The document could not be loaded', 'Check your connection, then reload this page.')}`;
  return viewerFrame(input, { stage, style, scripts: ['pdf'] });
}
