import { type Html, html } from '../parts/html.ts';
import type { Landing, LandingLimits } from './landing.ts';
import { count, formatBytes } from '../parts/sizes.ts';

/** The lower part of the landing page: what becomes of which files, the first command, the limits. */
export function landingGuide(landing: Landing): Html {
  return html`${kinds}
<section class="band" id="api" aria-labelledby="api-title"><div class="wide">
<div class="column"><h2 id="api-title">The same from a terminal</h2>
<p class="muted">One request publishes. No key is needed. Agents connect to <code>${landing.baseUrl}/mcp</code> (MCP).</p>
<p class="links"><a href="/v1">API version</a> <a href="/health">Health</a></p></div>
<div class="column">
${commandLine(landing)}
<p class="muted">Send several files by repeating <code>-F files=@…</code>, or one ZIP. Errors come as JSON too, with a <code>code</code> and a <code>nextStep</code> that says what to do.</p>
${limitTable(landing.limits)}
</div>
</div></section>`;
}

const kinds = html`<section class="band" id="kinds" aria-labelledby="kinds-title"><div class="wide">
<h2 id="kinds-title">What you drop decides what people see</h2>
<dl class="ledger">
<div><dt>A page or a site</dt><dd>HTML with its styles, scripts and pictures opens as a website.</dd></div>
<div><dt>One file</dt><dd>PDF, images, audio, video, text and code open in the browser. Other files are offered as a download.</dd></div>
<div><dt>Many files</dt><dd>Without an HTML page among them they become a list, folders and all.</dd></div>
</dl>
</div></section>`;

function commandLine({ baseUrl, sitesDomain }: Landing): Html {
  const { protocol } = new URL(baseUrl);
  return html`<pre tabindex="0" role="region" aria-label="Request"><code><b>curl</b> -F files=@index.html ${baseUrl}/v1/projects/temp</code></pre>
<p class="muted">The answer, shortened:</p>
<pre tabindex="0" role="region" aria-label="Answer"><code>{
  "status": "success",
  "data": {
    "url": "${protocol}//calm-harbour-k7m2.${sitesDomain}",
    "claimUrl": "${baseUrl}/claim/…",
    "expiresAt": "…"
  }
}</code></pre>`;
}

function limitTable(limits: LandingLimits): Html {
  const rules = limits.uploads.map((rule) => `${rule.limit} ${spellWindow(rule.windowSeconds)}`);
  return html`<h3>Limits</h3>
<dl class="ledger">
<div><dt>Files in one upload</dt><dd>${limits.maxParts}, or one ZIP with up to ${limits.maxArchiveEntries} inside</dd></div>
<div><dt>Size of one upload</dt><dd>${formatBytes(limits.maxBytes)}</dd></div>
<div><dt>Life of a link</dt><dd>${count(Math.round(limits.lifetimeSeconds / 60), 'minute')}, then the files are deleted unless you have kept them</dd></div>
<div><dt>Uploads per IP address</dt><dd>${rules.join(', ')}</dd></div>
</dl>`;
}

function spellWindow(seconds: number): string {
  if (seconds === 60) return 'a minute';
  if (seconds === 3600) return 'an hour';
  return `in ${count(Math.round(seconds / 60), 'minute')}`;
}
