import { describeDuration, describeWindow } from '../../contract/limits.ts';
import { logo, slipwayDrawing } from './parts/drawings.ts';
import { formatBytes } from './parts/format.ts';
import { type Html, html } from './parts/html.ts';
import { type Page, renderPage } from './parts/page.ts';
import {
  choosingPanel,
  keysPanel,
  lockedPanel,
  leftOutLine,
  pickPanel,
  sendingPanel,
  sourcePanel,
} from './zone-panels.ts';

/** The front page: a drop zone that publishes, and what there is to know about it. */
export function landingPage(landing: Landing): Page {
  const { brand, limits } = landing;
  const lifetime = describeDuration(limits.lifetimeSeconds);
  const body = html`<a class="skip" href="#launch">Skip to upload</a>
<header class="top">
<p class="name display">${logo()}<span>${brand}</span></p>
<nav aria-label="Service"><a href="/docs">Docs</a><a href="/docs/api">API</a><a href="/dashboard">Sign in</a></nav>
</header>
<main>
<div class="wide hero">
<div class="pitch">
<h1>Drop files. Get a link.</h1>
<p>A page, a folder or a ZIP gets its own address at once. Anyone with the link can open it for the next ${lifetime}, and you need no account.</p>
</div>
${landingZone(limits)}
</div>
${landingGuide(landing)}
</main>
<footer class="foot wide"><p>${logo()}<span>${brand}</span><a href="/docs">Documentation</a></p></footer>`;
  return renderPage({
    brand,
    title: 'Drop files, share the link',
    description: `${brand} turns files, folders and ZIPs into links that work at once.`,
    body,
    appScript: true,
    forms: true,
  });
}

/** The limits of publishing without an account, as far as the front page shows them. */
export interface LandingLimits {
  maxParts: number;
  maxBytes: number;
  /** The size of one upload with the smallest plan. */
  accountBytes: number;
  maxArchiveEntries: number;
  lifetimeSeconds: number;
  uploads: readonly { limit: number; windowSeconds: number }[];
}

/** The input of a service's front page. */
export interface Landing {
  brand: string;
  /** Scheme and host of the app, no trailing slash. */
  baseUrl: string;
  /** Domain of the published sites, with a port where there is one. */
  sitesDomain: string;
  limits: LandingLimits;
}

/** The lower part of the landing page: what becomes of which files, the first command, the limits. */
function landingGuide(landing: Landing): Html {
  return html`${kinds}
<section class="band" id="api" aria-labelledby="api-title"><div class="wide">
<div class="column"><h2 id="api-title">The same from a terminal</h2>
<p class="muted">One command publishes. You need no key. Agents connect to <code>${landing.baseUrl}/mcp</code> (MCP).</p>
<p class="links"><a href="/docs/getting-started">Getting started</a> <a href="/connect">Connect an agent</a></p></div>
<div class="column">
${commandLine(landing)}
<p class="muted">Send several files by repeating <code>-F files=@…</code>, or one ZIP. Errors are JSON too, with a <code>code</code> and a <code>nextStep</code> that says what to do.</p>
${limitTable(landing.limits)}
</div>
</div></section>`;
}

const kinds = html`<section class="band" id="kinds" aria-labelledby="kinds-title"><div class="wide">
<h2 id="kinds-title">What you drop decides what people see</h2>
<dl class="ledger">
<div><dt>A page or a site</dt><dd>HTML with its styles, scripts and pictures opens as a website.</dd></div>
<div><dt>One file</dt><dd>PDF, images, audio, video, text and code open in the browser. Other files are offered as a download.</dd></div>
<div><dt>Many files</dt><dd>Without an HTML page, they become a list with their folders.</dd></div>
</dl>
</div></section>`;

function commandLine({ baseUrl, sitesDomain }: Landing): Html {
  const { protocol } = new URL(baseUrl);
  return html`<pre tabindex="0" role="region" aria-label="Request"><code><b>curl</b> -F files=@index.html ${baseUrl}/v1/projects/temp</code></pre>
<p class="muted">The response, shortened:</p>
<pre tabindex="0" role="region" aria-label="Response"><code>{
  "status": "success",
  "data": {
    "url": "${protocol}//calm-harbour-k7m2.${sitesDomain}",
    "claimUrl": "${baseUrl}/claim/…",
    "expiresAt": "…"
  }
}</code></pre>`;
}

function limitTable(limits: LandingLimits): Html {
  const rules = limits.uploads.map(
    (rule) => `${rule.limit} in ${describeWindow(rule.windowSeconds)}`,
  );
  return html`<h3>Limits</h3>
<dl class="ledger">
<div><dt>Files in one upload</dt><dd>${limits.maxParts}, or one ZIP with up to ${limits.maxArchiveEntries} inside</dd></div>
<div><dt>Size of one upload</dt><dd>${formatBytes(limits.maxBytes)}</dd></div>
<div><dt>Lifetime of a link</dt><dd>${describeDuration(limits.lifetimeSeconds)}, then the files are deleted unless you keep the project</dd></div>
<div><dt>Uploads from one network</dt><dd>${rules.join(', ')}</dd></div>
</dl>`;
}

/**
 * The drop zone. A form that works without JavaScript; the script hides the parts that it replaces
 * and shows one panel at a time.
 */
function landingZone(limits: LandingLimits): Html {
  return html`<form id="launch" class="zone" action="/v1/projects/temp" method="post" enctype="multipart/form-data" aria-label="Publish files" data-max-parts="${limits.maxParts}" data-max-entries="${limits.maxArchiveEntries}" data-max-bytes="${limits.maxBytes}" data-account-bytes="${limits.accountBytes}">
<div>
${pickPanel(hints(limits))}
${sendingPanel}
${choosingPanel}
${keysPanel}
${lockedPanel}
${sourcePanel}
${livePanel}
<div class="panel" id="earlier" hidden><h3>Published before</h3><ul id="earlier-links"></ul></div>
<div class="said" id="said" role="alert"></div>
<p class="unseen" id="spoken" role="status"></p>
</div>
${slipwayDrawing('ready')}
</form>`;
}

function hints(limits: LandingLimits): Html {
  return html`<noscript><p class="hint">Without JavaScript the response is plain JSON: <code>url</code> is your link, and <code>claimUrl</code> is the link to keep it.</p></noscript>
<p class="hint">Up to ${formatBytes(limits.maxBytes)}. A single HTML file becomes the start page.</p>`;
}

const livePanel = html`<div class="panel" id="live" hidden>
<h2 id="live-title" tabindex="-1">Your link is live</h2>
<p class="address"><a id="link" href="/" target="_blank" rel="noopener"></a><button class="button" type="button" data-copy="link">Copy link</button></p>
<p>Expires in <span class="clock" id="clock" role="timer"></span></p>
${leftOutLine(html`<button class="button quiet" id="publish-hidden" type="button">Publish them too</button>`)}
<p class="hint" id="claim-hint">This link keeps the project: open it, and sign in with a code by e-mail. It is shown only here. Whoever opens it can make the project their own, so do not share it.</p>
<p class="address"><code id="claim"></code><a class="button quiet" id="keep" href="/" target="_blank" rel="noopener noreferrer" aria-describedby="claim-hint">Keep it</a><button class="button quiet" type="button" data-copy="claim" aria-describedby="claim-hint">Copy this link</button></p>
<div class="choices"><button class="button quiet" id="again" type="button">Publish something else</button></div>
</div>`;
