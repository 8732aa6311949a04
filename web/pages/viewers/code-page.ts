import { codeStyle } from '../../styles/code-style.ts';
import type { CodeMarkup } from '../../text/code-markup.ts';
import { html, trusted } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { relativeHref } from '../parts/relative-href.ts';
import { type Viewed, viewerPage } from './viewer-page.ts';

const style = `${codeStyle}
.listing{flex:1;margin:0;padding:.75rem 0 2rem;border:0;border-radius:0;background:var(--sheet);color:var(--ink);font-size:.875rem;tab-size:4;overflow-x:auto}
.listing code{display:block;width:max-content;min-width:100%;font-size:inherit}
.listing.plain{padding-inline:clamp(1rem,3vw,1.5rem)}
.line{display:block;padding-right:1.5rem;scroll-margin-top:5rem}
.line>a{position:sticky;left:0;display:inline-block;width:4.25rem;margin-right:1rem;padding-right:1rem;border-right:1px solid var(--line);background:var(--sheet);color:var(--muted);text-align:right;text-decoration:none;text-indent:0;user-select:none;-webkit-user-select:none}
.line>a::before{content:attr(data-n)}
.line>a:hover{color:var(--water)}
.line:target,.line.on,.line:target>a,.line.on>a{background:var(--tide)}
.wrapped code{width:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.wrapped .line{padding-left:5.25rem;text-indent:-5.25rem}
.cut{padding:.75rem clamp(1rem,3vw,1.5rem);border-bottom:1px solid var(--line)}
@media (max-width:36rem){.line>a{width:2.75rem;margin-right:.625rem;padding-right:.5rem}.wrapped .line{padding-left:3.375rem;text-indent:-3.375rem}.listing{font-size:.8125rem}}
@media print{.listing code{width:auto;white-space:pre-wrap}}
`;

/** Code with its words told apart and its lines numbered, readable without a script. */
export function codePage(viewed: Viewed, code: CodeMarkup): Page {
  const { name, href } = viewed.file;
  const stage = html`<div class="tools" role="group" aria-label="Code" hidden>
<button type="button" data-copy aria-live="polite">Copy</button><button type="button" data-wrap aria-pressed="false">Wrap lines</button>${code.isNumbered && html`<label>Line <input inputmode="numeric" autocomplete="off" placeholder="10-20"></label>`}
</div>
${code.isCut && html`<p class="cut">This is only the beginning of a large file.${viewed.isSavable && html` <a href="${relativeHref(href)}">Open all of it</a>.`}</p>`}
<pre class="listing${!code.isNumbered && ' plain'}" tabindex="0" role="region" aria-label="${name}"><code>${trusted(code.markup)}</code></pre>`;
  return viewerPage(viewed, { stage, style, scripts: ['code'] });
}
