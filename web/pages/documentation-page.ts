import { type Guide, generatedGuides, guides, referencePages } from '../../contract/llms/guides.ts';
import { documentationStyle } from '../styles/documentation-style.ts';
import { type DocumentationMarkup, documentationMarkup } from '../text/documentation-markup.ts';
import { logo } from './parts/drawings.ts';
import { type Html, html, trusted } from './parts/html.ts';
import { type Page, renderPage } from './parts/page.ts';

/** A page of the documentation, made from its Markdown. */
export function documentationPage(brand: string, guide: Guide, text: string): Page {
  const { markup, headings } = documentationMarkup(text);
  const [lead, rest] = splitAfterLead(markup);
  const article = html`${trusted(lead)}
${headings.length > 2 && contentsList(headings)}
${trusted(rest)}`;
  return frame({ brand, title: guide.title, summary: guide.summary, slug: guide.slug, article });
}

/** The front page of the documentation: every page with what it is about. */
export function documentationIndex(brand: string): Page {
  const article = html`<h1>Documentation</h1>
<dl class="cards">
${guides.map(({ slug, title, summary }) => html`<dt><a href="/docs/${slug}">${title}</a></dt><dd>${plain(summary)}</dd>`)}
</dl>
<h2>For programs and agents</h2>
<dl class="cards">
<dt><a href="/openapi.json">openapi.json</a></dt><dd>The REST API as an OpenAPI 3.1 document.</dd>
<dt><a href="/llms.txt">llms.txt</a></dt><dd>A short index for language models. Every page is also Markdown: add <code>.md</code> to its address.</dd>
<dt><a href="/llms-full.txt">llms-full.txt</a></dt><dd>The whole API as one text.</dd>
</dl>`;
  const summary = `How to publish with ${brand}: guides, limits, errors and the API reference.`;
  return frame({ brand, title: 'Documentation', summary, slug: '', article });
}

interface Frame {
  brand: string;
  title: string;
  summary: string;
  slug: string;
  article: Html;
}

function frame({ brand, title, summary, slug, article }: Frame): Page {
  const body = html`<a class="skip" href="#text">Skip to text</a>
<header class="top">
<p class="name display"><a href="/">${logo()}<span>${brand}</span></a></p>
<nav aria-label="Service"><a href="/docs">Docs</a><a href="/docs/api">API</a><a href="/dashboard">Sign in</a></nav>
</header>
<div class="docs">
<nav class="pages" aria-label="Documentation">${pageList(slug)}</nav>
<main class="prose" id="text" tabindex="-1">
${article}
</main>
</div>`;
  const description = plain(summary);
  return renderPage({ brand, title, description, body, style: documentationStyle });
}

function pageList(current: string): Html {
  const item = ({ slug, title }: Guide, more?: Html) =>
    html`<li>${slug === current ? html`<a href="/docs/${slug}" aria-current="page">${title}</a>` : html`<a href="/docs/${slug}">${title}</a>`}${more}</li>`;
  const inReference = current.startsWith(generatedGuides.api.slug);
  const groups = html`<ul>${referencePages.map((page) => item(page))}</ul>`;
  return html`<ul>${guides.map((guide) =>
    item(guide, inReference && guide.slug === generatedGuides.api.slug ? groups : undefined),
  )}</ul>`;
}

function contentsList(headings: DocumentationMarkup['headings']): Html {
  return html`<nav class="contents" aria-labelledby="contents-title"><h2 id="contents-title">On this page</h2>
<ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`;
}

/** Splits the markup before the first heading of the second level. */
function splitAfterLead(markup: string): [string, string] {
  const end = markup.search(/<h2[ >]/);
  return end === -1 ? [markup, ''] : [markup.slice(0, end), markup.slice(end)];
}

/** A summary as plain text; code is the only Markdown in it. */
function plain(summary: string): string {
  return summary.replaceAll('`', '');
}
