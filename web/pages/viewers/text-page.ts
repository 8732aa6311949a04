import { kindOfFile } from '../../../contract/type-names.ts';
import type { TextMarkup } from '../../../core/visit/text-markup.ts';
import { proseStyle, codeStyle } from '../../styles/prose-style.ts';
import type { CodeMarkup } from '../../text/code-markup.ts';
import { diagramFrame, diagramScripts, diagramStyle, hasDiagrams } from '../parts/diagrams.ts';
import { type Html, html, trusted } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { extensionOf } from '../../../core/content/media-type.ts';
import { relativeHref } from '../parts/relative-href.ts';
import { type ViewerInput, type ViewerParts, viewerFrame } from './viewer-frame.ts';

/** The page of a file of text, around its markup. */
export function textPage(input: ViewerInput, text: TextMarkup): Page {
  return text.kind === 'markdown' ? markdownPage(input, text) : codePage(input, text);
}

const markdownPageStyle = `${proseStyle}${diagramStyle}
.source{align-self:center;margin:0 1rem 2rem}
`;

/** Rendered Markdown. The markup comes from `markdownMarkup`, which lets only harmless HTML of the author through. */
function markdownPage(
  input: ViewerInput,
  { markup, encoding }: Extract<TextMarkup, { kind: 'markdown' }>,
): Page {
  const isLegacy = encoding !== undefined;
  const stage = html`${isLegacy && html`<div class="tools" role="group" aria-label="Text" data-controls hidden></div>`}
<article class="prose" dir="auto"${isLegacy && html` data-encoding="${encoding}"`}${diagramFrame(markup, input.assets)}>
${trusted(markup)}</article>
${input.isSavable && sourceLink(input.file)}`;
  const { scripts = [], allow = {} } = drawing(input, markup);
  return viewerFrame(input, {
    stage,
    style: markdownPageStyle,
    allow,
    scripts: [
      ...scripts,
      ...(isLegacy ? (['text-encoding'] as const) : []),
      ...(markup.includes('<tr data-clock=') ? (['calendar'] as const) : []),
    ],
  });
}

function drawing(input: ViewerInput, markup: string): Partial<ViewerParts> {
  if (!hasDiagrams(markup)) return {};
  const { allow = {} } = diagramScripts(markup, input);
  return { scripts: ['diagrams'], allow };
}

/** Browsers show no calendar: they give it to the visitor's own, or to the downloads. */
function sourceLink({ name, href, type }: ViewerInput['file']): Html {
  const words = kindOfFile(name, type) === 'Calendar' ? 'Add to your calendar' : 'Show the source';
  return html`<p class="source hint"><a href="${relativeHref(href)}" rel="nofollow">${words}</a></p>`;
}

const codePageStyle = `${codeStyle}
.listing{flex:1;margin:0;padding:.75rem 0 2rem;border:0;border-radius:0;background:var(--sheet);color:var(--ink);font-size:.875rem;tab-size:4;overflow-x:auto}
.listing code{display:block;width:max-content;min-width:100%;font-size:inherit}
.listing.plain{padding-inline:clamp(1rem,3vw,1.5rem)}
.block,.rest{display:block}
.block{content-visibility:auto;contain-intrinsic-size:auto 40rem auto 155em}
.block.many{contain-intrinsic-size:auto 40rem auto 775em}
.line{display:block;padding-right:1.5rem;scroll-margin-top:5rem}
.line>a{position:sticky;left:0;display:inline-block;width:4.25rem;margin-right:1rem;padding-right:1rem;border-right:1px solid var(--line);background:var(--sheet);color:var(--muted);text-align:right;text-decoration:none;text-indent:0;user-select:none;-webkit-user-select:none}
.line>a::before{content:attr(data-n)}
.line>a:hover{color:var(--water)}
.line:target,.line.on,.line:target>a,.line.on>a{background:var(--tide)}
.wrapped code{width:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.wrapped .line{padding-left:5.25rem;text-indent:-5.25rem}
.cut{padding:.75rem clamp(1rem,3vw,1.5rem);border-bottom:1px solid var(--line)}
@media (max-width:36rem){.line>a{width:2.75rem;margin-right:.625rem;padding-right:.5rem}.wrapped .line{padding-left:3.375rem;text-indent:-3.375rem}.listing{font-size:.8125rem}}
@media print{.listing code{width:auto;white-space:pre-wrap}.block{content-visibility:visible}}
`;

const treeStyle = `
.json-tree{flex:1;padding:.75rem clamp(1rem,3vw,1.5rem) 2rem;background:var(--sheet);color:var(--ink);font:.875rem/1.6 var(--code)}
.json-tree ul{margin:0;padding-left:1.25rem;list-style:none}
.json-tree>ul,.json-tree>div>ul{padding-left:0}
.json-tree li{overflow-wrap:anywhere;white-space:pre-wrap}
.json-tree summary{cursor:pointer}
.json-tree .hint{margin:0;font-size:inherit}
.json-tree details[open]>summary>.preview{display:none}
.json-tree .preview{margin-left:.75rem;opacity:.85}
.json-tree .key{font-weight:600}
.json-tree li>.value{color:var(--water)}
.json-tree button{min-height:2.75rem;padding:0 .875rem;border:1px solid var(--edge);border-radius:8px;background:none;color:inherit;font:600 .9375rem/1 var(--text);cursor:pointer}
.tools input[type=search]{width:min(16rem,40vw);text-align:left}
@media print{.json-tree button{display:none}}
`;

/** Files of JSON that are shown as a tree too. */
const trees: ReadonlySet<string> = new Set(['json', 'har', 'webmanifest']);

/** Why a text that is usually set is shown as code. */
function reasonOf({ name, type }: ViewerInput['file']): string | undefined {
  if (type === 'markdown') return 'This text is too long to be laid out.';
  return extensionOf(name) === 'ipynb' ? 'This notebook is damaged, or too long.' : undefined;
}

/** Highlighted code with line numbers, readable without a script. */
function codePage(input: ViewerInput, code: CodeMarkup & { encoding?: string | undefined }): Page {
  const { name, href } = input.file;
  const reason = reasonOf(input.file);
  const stage = html`<div class="tools" role="group" aria-label="Code" data-controls hidden>
<button type="button" data-copy aria-live="polite">${code.isCut ? 'Copy this part' : 'Copy'}</button><button type="button" data-wrap aria-pressed="false">Wrap lines</button><label>Line <input inputmode="numeric" autocomplete="off" placeholder="10-20"></label>
</div>
${reason && html`<p class="cut">${reason} It is shown as it is written.</p>`}
${code.isCut && html`<p class="cut">This is only the beginning of a large file.${input.isSavable && html` <a href="${relativeHref(href)}">Open the whole file</a>.`}</p>`}
<pre class="listing${!code.isNumbered && ' plain'}" tabindex="0" role="region" aria-label="${name}"${code.encoding !== undefined && html` data-encoding="${code.encoding}" data-source="${relativeHref(href)}"`}><code>${trusted(code.markup)}</code></pre>`;
  const isTree = trees.has(extensionOf(name));
  return viewerFrame(input, {
    stage,
    style: isTree ? codePageStyle + treeStyle : codePageStyle,
    scripts: [
      'code',
      ...(isTree ? (['json-tree'] as const) : []),
      ...(code.encoding === undefined ? [] : (['text-encoding'] as const)),
    ],
  });
}
