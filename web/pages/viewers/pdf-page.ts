import { extensionOf } from '../../../core/content/media-type.ts';
import { html } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { relativeHref } from '../parts/relative-href.ts';
import { type ViewerInput, viewerError, viewerFrame } from './viewer-frame.ts';

/** The text layer lies over the picture of its page, transparent, so that text can be selected and found. */
const style = `
.bar{position:sticky;top:0;z-index:4}
.bar .tools{position:static}
.finder input{width:min(20rem,40vw);text-align:start}
.desk{flex:1;display:flex;min-width:0}
.sheets{flex:1;min-width:0;min-height:60vh;padding:1rem clamp(.25rem,2vw,1.5rem);overflow-x:auto;background:var(--ground)}
.leaf{--scale-round-x:1px;--scale-round-y:1px;position:relative;width:calc(var(--total-scale-factor)*var(--wide)*1px);height:calc(var(--total-scale-factor)*var(--high)*1px);margin:0 auto 1rem;background:#fff;box-shadow:0 1px 3px #0004;scroll-margin-top:4rem}
.leaf canvas{position:absolute;inset:0;width:100%;height:100%}
.leaf>:is(a,.comment,.unplayed){position:absolute;border-radius:2px}
.comment{min-width:1.5rem;min-height:1.5rem;z-index:2}
.comment summary{height:100%;min-height:1.5rem;list-style:none;cursor:pointer;border-radius:4px;background:#f0c27755;outline:1px solid #8a4a00}
.comment summary::-webkit-details-marker{display:none}
.comment p{position:absolute;top:100%;left:0;z-index:3;width:max-content;max-width:min(20rem,70vw);max-height:40vh;overflow:auto;padding:.5rem .75rem;border-radius:8px;background:var(--dark);color:var(--on-dark);font-size:.9375rem;white-space:pre-wrap}
.comment.at-right p{left:auto;right:0}
.comment[open]{z-index:3}
.unplayed{display:grid;place-content:center;min-width:8rem;min-height:2rem;padding:.25rem .5rem;background:#12242ce0;color:#e3ecea;font-size:.875rem;text-align:center;overflow:hidden}
.leaf>a:hover{background:#17616d22}
.comment button{display:inline-block;min-height:2.75rem;padding:.5rem;border:1px solid;border-radius:8px;background:none;color:inherit;font:inherit;cursor:pointer}
.remark .button{margin:.25rem}
.leaf>.uncounted{position:absolute;overflow:hidden;background:#fff;color:#000;font-size:calc(9px*var(--total-scale-factor));outline:1px dashed #8a4a00}
.fields{position:absolute;top:0;left:0;pointer-events:none;transform-origin:0 0;color-scheme:only light}
.fields section{position:absolute;box-sizing:border-box;pointer-events:auto;transform-origin:0 0}
.fields :is(input,textarea,select){display:block;box-sizing:border-box;width:100%;height:100%;margin:0;padding:0 2px;border:1px solid transparent;border-radius:0;background-image:linear-gradient(#0036ff21,#0036ff21);font:calc(9px*var(--total-scale-factor)) sans-serif;color:#000}
.fields textarea{resize:none}
.fields :required{outline:1.5px solid #b3361a}
.fields :disabled{background:none!important;color:transparent!important;opacity:1}
.fields .checkBox>:disabled,.fields .radioButton>:disabled,.fields select:disabled{color:#000!important}
.fields .radioButton input{border-radius:50%}
.fields :is(.checkBox,.radioButton) input{appearance:none;display:grid;place-items:center;padding:0}
.fields .checkBox :checked::before{content:"";width:35%;height:65%;margin-top:-15%;border:solid #000;border-width:0 2px 2px 0;rotate:40deg}
.fields .radioButton :checked::before{content:"";width:50%;height:50%;border-radius:50%;background:#000}
.fields .comb{font-family:monospace}
.fields[data-main-rotation="90"]{transform:rotate(90deg) translateY(-100%)}
.fields[data-main-rotation="180"]{transform:rotate(180deg) translate(-100%,-100%)}
.fields[data-main-rotation="270"]{transform:rotate(270deg) translateX(-100%)}
.xfa{position:absolute;inset:0 auto auto 0;transform-origin:0 0;scale:var(--total-scale-factor);text-align:initial;color-scheme:only light;color:#000}
.letters{mix-blend-mode:multiply;--min-font-size:1;--text-scale-factor:calc(var(--total-scale-factor)*var(--min-font-size));--min-font-size-inv:calc(1/var(--min-font-size));color-scheme:only light;position:absolute;inset:0;overflow:clip;line-height:1;text-align:initial;text-size-adjust:none;-webkit-text-size-adjust:none;forced-color-adjust:none;transform-origin:0 0}
.letters :is(span,br){position:absolute;color:transparent;white-space:pre;overflow-wrap:normal;cursor:text;transform-origin:0 0}
.letters>:not(.markedContent),.letters .markedContent span:not(.markedContent){z-index:1;--font-height:0;--scale-x:1;--rotate:0deg;font-size:calc(var(--text-scale-factor)*var(--font-height));transform:rotate(var(--rotate)) scaleX(var(--scale-x)) scale(var(--min-font-size-inv))}
.letters .markedContent{display:contents}
.letters span{scroll-margin-top:30vh}
::highlight(found){background-color:#f0c27799}
::highlight(chosen){background-color:#b3361a88}
.aside{position:sticky;top:3.25rem;align-self:flex-start;flex:none;width:15rem;height:calc(100vh - 3.25rem);overflow:auto;padding:.5rem;background:var(--sheet);border-right:1px solid var(--line)}
.aside .choice{display:flex;gap:.25rem;margin-bottom:.5rem}
.aside button,.aside a{border:1px solid transparent;border-radius:8px;background:none;color:inherit;font:inherit;text-align:start;text-decoration:none;cursor:pointer}
.aside :is(button,a):hover{background:var(--tide)}
.choice button{flex:auto;min-height:2.75rem;padding:.25rem;text-align:center!important;font-size:.875rem!important;font-weight:600!important;white-space:nowrap}
.choice [aria-pressed=true]{background:var(--tide);border-color:var(--edge)}
.aside ul{list-style:none}
.aside ul ul{padding-left:.875rem}
.aside li>:is(button,a){display:block;width:100%;min-height:2.25rem;padding:.375rem .5rem;font-size:.9375rem;line-height:1.4}
[data-thumbnails]{display:grid;justify-content:center;gap:.5rem}
[data-thumbnails] button{display:grid;justify-items:center;gap:.25rem;width:8.5rem;min-height:6rem;padding:.5rem;font-size:.875rem;align-content:end}
[data-thumbnails] canvas{max-width:7rem;height:auto;background:#fff;box-shadow:0 1px 3px #0004}
.remark{padding:.75rem clamp(1rem,3vw,1.5rem);border-bottom:1px solid var(--line);background:var(--tide)}
[data-attachments]{overflow-wrap:anywhere}
[data-attachments] button:disabled{color:var(--muted,inherit);cursor:default}
[data-attachments] button{display:block;width:100%;min-height:2.75rem;padding:.375rem .5rem;overflow-wrap:anywhere}
.printed{display:none}
@media (max-width:48rem){.aside{position:fixed;inset:auto 0 0;top:auto;z-index:4;width:auto;height:60vh;border:0;border-top:1px solid var(--line);box-shadow:0 -4px 16px #0004}[data-thumbnails]{grid-template-columns:repeat(auto-fill,8.5rem)}}
@media (max-width:36rem){.bar .tools{flex-wrap:nowrap;justify-content:space-between;overflow-x:auto}.bar .tools button{flex:none;min-width:2.5rem;padding:0 .375rem;white-space:nowrap}.bar [data-do=fit]{display:none}.bar [data-page]{width:2.75rem}.bar [data-size]{display:none}.finder input{flex:1;width:auto;min-width:6rem}.finder output{min-width:0}}
@media print{.bar,.aside,.remark{display:none}.leaf{margin:0;box-shadow:none;break-after:page}.sheets{padding:0}body:has(.printed)>:not(.printed){display:none!important}.printed{display:block}.printed img{display:block;width:100%;height:100vh;object-fit:contain;break-after:page}.printed img:last-child{break-after:auto}}
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

function notPdf(name: string): string {
  return extensionOf(name) === 'ai'
    ? 'The file is damaged, or it was saved without the option “Create PDF Compatible File” of Illustrator.'
    : 'The file is damaged, or it is not a PDF. Ask the person who sent you the link for a new one.';
}

/** A PDF. pdf.js draws each page when it comes into view. */
export function pdfPage(input: ViewerInput): Page {
  const { file, assets } = input;
  const href = relativeHref(file.href);
  const stage = html`<div class="bar" hidden>
<div class="tools" role="group" aria-label="Pages and zoom">
<button type="button" data-do="contents" aria-expanded="false" aria-controls="contents">Contents</button><i></i><button type="button" data-do="before" data-step aria-label="Previous page">↑</button><label><span class="unseen">Page</span><input data-page inputmode="numeric" autocomplete="off" value="1"> / <span data-pages></span></label><button type="button" data-do="next" data-step aria-label="Next page">↓</button><i></i><button type="button" data-do="out" aria-label="Zoom out">−</button><output data-size aria-live="polite" aria-label="Size"></output><button type="button" data-do="in" aria-label="Zoom in">+</button><button type="button" data-do="fit" aria-label="Fit to width">Fit</button><i></i><button type="button" data-do="find">Find</button><button type="button" data-do="print" data-print>Print</button>
</div>
<form class="tools finder" role="search" hidden>
<input type="search" aria-label="Find in this document" placeholder="Find in this document" autocomplete="off"><output role="status"></output><button type="button" data-back aria-label="Previous occurrence">↑</button><button type="submit" aria-label="Next occurrence">↓</button><button type="button" data-close aria-label="Close the search">✕</button>
</form>
</div>
<p class="remark" id="cut" hidden>Only the first 10,000 pages are shown.</p>
<p class="remark" id="drawn" hidden>This is an XFA form, and its fields cannot be shown here. What is drawn in it is shown; open it in Adobe Acrobat Reader to see all of its fields.</p>
<p class="remark" id="slow" hidden>The form of this document takes too long to be laid out here, so only what is drawn in the document is shown.${input.isSavable && html` <a href="${href}" download="${file.name}">Download it</a> and open it in Adobe Acrobat Reader to see the form.`}</p>
<p class="remark" id="uncounted" hidden>A field of this form has more choices than this page can offer. It is shown as text.${input.isSavable && html` <a href="${href}" download="${file.name}">Download the document</a> to change it.`}</p>
<p class="remark" id="form" hidden>You can fill in this form. What you enter stays in this browser.<span id="scripted" hidden> This form has a format (XFA) whose scripts do not run here: sums and checks may be missing. Adobe Acrobat Reader runs them.</span>${input.isSavable && html` <button class="button quiet" type="button" data-save>Save a filled-in copy</button>`}<span id="unsaved" role="alert" hidden> The copy could not be made. Print the form instead.</span></p>
<div class="desk">
<aside class="aside" id="contents" aria-label="Contents" hidden>
<div class="choice" role="group" aria-label="Contents by" hidden><button type="button" data-tab="outline" aria-pressed="true">Outline</button><button type="button" data-tab="pages" aria-pressed="false">Pages</button><button type="button" data-tab="attachments" aria-pressed="false" hidden>Attachments</button></div>
<nav data-outline aria-label="Outline"></nav>
<div data-thumbnails role="group" aria-label="Pages"></div>
${input.isSavable && html`<nav data-attachments aria-label="Attachments" aria-live="polite" hidden></nav>`}
</aside>
<div class="sheets" role="region" aria-label="Document" tabindex="0" data-file="${href}" data-name="${file.name}" data-bytes="${file.bytes}" data-worker="${assets['pdf-worker']}" data-data="${assets['pdf-data']}">
<p class="muted loading">Opening the document …${input.isSavable && html` <span class="late">Is it taking too long? <a href="${href}">Open it</a> in your browser’s own viewer.</span>`}</p>
<noscript><p class="loading">${input.isSavable ? html`This page needs JavaScript. Without it, <a href="${href}">open the document</a> in your browser’s own viewer.` : 'This page needs JavaScript to show the document.'}</p></noscript>
</div>
</div>
<form class="fault unlock" id="locked" hidden>
<label for="document-password"><strong>This document needs a password</strong></label>
<p>It is opened in your browser; the password is sent nowhere.</p>
<p><input id="document-password" type="password" autocomplete="off" required> <button class="button" type="submit">Open</button></p>
<output role="alert"></output>
</form>
${viewerError('damaged', 'This document cannot be shown', notPdf(file.name))}
${viewerError('unfetched', 'The document could not be loaded', 'Check your connection, then reload this page.')}`;
  return viewerFrame(input, { stage, style, scripts: ['pdf'] });
}
