import { codeStyle } from '../../styles/code-style.ts';
import { type Html, html, trusted } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { relativeHref } from '../parts/relative-href.ts';
import { type Viewed, viewerPage } from './viewer-page.ts';

const style = `${codeStyle}
.prose{width:100%;max-width:46rem;margin:0 auto;padding:clamp(1.5rem,5vw,3.5rem) clamp(1rem,4vw,2rem);flex:1;line-height:1.65}
.prose>*+*{margin-top:1.1em}
.prose :is(h1,h2,h3,h4,h5,h6){margin-top:1.6em;scroll-margin-top:1rem}
.prose>:first-child{margin-top:0}
.prose h1{font-size:2rem}.prose h2{font-size:1.5rem;padding-bottom:.3em;border-bottom:1px solid var(--line)}.prose h3{font-size:1.1875rem}.prose :is(h4,h5,h6){margin-bottom:0;font-size:1rem}
.prose :is(ul,ol){padding-left:1.5em}
.prose li+li,.prose li>:is(ul,ol,p,pre){margin-top:.35em}
.prose blockquote{margin-inline:0;padding-left:1.125em;border-left:4px solid var(--edge);color:var(--muted)}
.prose blockquote>*+*{margin-top:.75em}
.prose hr{height:1px;border:0;background:var(--line)}
.prose img{max-width:100%;height:auto}
.prose :not(pre)>code{padding:.1em .35em;border-radius:5px;background:var(--ground)}
.prose pre{background:var(--sheet);color:var(--ink);font-size:.9375rem}
.prose pre code{font-size:.9375em}
.prose .scroll{overflow-x:auto}
.prose table{width:auto;min-width:50%;table-layout:auto}
.prose :is(th,td){padding:.5rem .75rem;border-bottom:1px solid var(--line);color:inherit;font-size:1rem;overflow-wrap:normal}
.prose thead th{border-bottom:2px solid var(--ink);color:inherit;font-weight:600}
.prose .to-right{text-align:right}.prose .to-center{text-align:center}
.absent{color:var(--muted)}
.absent::before{content:"\\1F5BC\\FE0E  "}
.source{align-self:center;margin:0 1rem 2rem}
`;

/** A text in Markdown, set; its markup is `markdownMarkup`'s, which lets nothing of the author's through. */
export function markdownPage(viewed: Viewed, markup: string): Page {
  const stage = html`<article class="prose">
${trusted(markup)}</article>
${viewed.isSavable && source(viewed.file.href)}`;
  return viewerPage(viewed, { stage, style });
}

function source(href: string): Html {
  return html`<p class="source hint"><a href="${relativeHref(href)}" rel="nofollow">Show the source</a></p>`;
}
