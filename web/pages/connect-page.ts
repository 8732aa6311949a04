import type { GuideBlock, GuideSection } from '../../contract/discovery/connect-guide.ts';
import { installLinks } from '../../contract/discovery/install-links.ts';
import { logo } from './parts/drawings.ts';
import { type Html, html } from './parts/html.ts';
import { type Page, renderPage } from './parts/page.ts';

/** What the page needs. */
export interface ConnectParts {
  brand: string;
  /** The address of the MCP server. */
  endpoint: string;
  /** How each client is connected, with this installation's address. */
  sections: readonly GuideSection[];
}

/** `/connect`: the address of the MCP server, links that add it to a client, and the steps for each client. */
export function connectPage({ brand, endpoint, sections }: ConnectParts): Page {
  const body = html`<a class="skip" href="#text">Skip to text</a>
<header class="top">
<p class="name display"><a href="/">${logo()}<span>${brand}</span></a></p>
<nav aria-label="Service"><a href="/docs">Docs</a><a href="/docs/api">API</a><a href="/dashboard">Sign in</a></nav>
</header>
<main class="wide connect" id="text" tabindex="-1">
<h1>Connect an agent</h1>
<p class="muted">Agents publish with ${brand} over MCP. Give yours this address; it opens a page where you sign in and press Allow.</p>
<p class="address"><code id="endpoint">${endpoint}</code><button class="button" type="button" data-copy="endpoint" hidden>Copy</button></p>
<p class="choices">${installLinks(endpoint).map(({ client, href }) => html`<a class="button quiet" href="${href}">Add to ${client}</a>`)}</p>
<h2>Steps for each client</h2>
${sections.map(section)}
<p><a href="/docs/connect">The whole guide</a> says what a connected app can do and how to disconnect it. <a href="/oauth/connections">Your connected apps</a></p>
</main>`;
  return renderPage({
    brand,
    title: 'Connect an agent',
    description: `Add ${brand} to Claude, ChatGPT, Cursor, VS Code, Codex and other agents.`,
    body,
    style: connectStyle,
    appScript: true,
  });
}

function section({ name, blocks }: GuideSection, at: number): Html {
  return html`<details><summary>${name}</summary><div>${blocks.map((one, index) => block(one, `code-${at}-${index}`))}</div></details>`;
}

function block({ kind, text }: GuideBlock, id: string): Html {
  if (kind === 'text') return html`<p>${withCode(text)}</p>`;
  return html`<div class="copied"><pre tabindex="0" id="${id}"><code>${text}</code></pre><button class="button quiet" type="button" data-copy="${id}" hidden>Copy</button></div>`;
}

/** Every second part of a text that is split at backticks is code. */
function withCode(text: string): Html[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** The page `/connect`: a narrow column of sections that open. */
const connectStyle = `.top .name a{display:flex;align-items:center;gap:.625rem;color:inherit;text-decoration:none}
.connect{display:grid;gap:1.25rem;max-width:52rem;padding-block:1rem 4rem;align-content:start}
.connect h2{margin-top:1rem}
.connect details{border-bottom:1px solid var(--line)}
.connect summary{padding:.75rem 0;font-weight:600;cursor:pointer}
.connect details>div{display:grid;gap:1rem;padding-bottom:1.25rem}
.connect .choices{display:flex;flex-wrap:wrap;gap:.75rem}
.connect .copied{display:grid;gap:.5rem;justify-items:start;min-width:0}
.connect .copied pre{width:100%;padding:1rem;overflow-x:auto}
.connect :not(pre)>code{overflow-wrap:anywhere}
`;
