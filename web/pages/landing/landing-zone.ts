import { slipway } from '../parts/drawings.ts';
import { type Html, html } from '../parts/html.ts';
import type { LandingLimits } from './landing.ts';
import { formatBytes } from '../parts/sizes.ts';
import { choosingPanel, pickPanel, sendingPanel } from './zone-panels.ts';

/**
 * The drop zone. A plain form that works by itself; the script hides what it does better and shows
 * one panel at a time.
 */
export function landingZone(limits: LandingLimits): Html {
  return html`<form id="launch" class="zone" action="/v1/projects/temp" method="post" enctype="multipart/form-data" aria-label="Publish files" data-max-parts="${limits.maxParts}" data-max-entries="${limits.maxArchiveEntries}" data-max-bytes="${limits.maxBytes}">
<div>
${pickPanel(hints(limits))}
${sendingPanel}
${choosingPanel}
${livePanel}
<div class="said" id="said" role="alert"></div>
<p class="unseen" id="spoken" role="status"></p>
</div>
${slipway('ready')}
</form>`;
}

function hints(limits: LandingLimits): Html {
  return html`<noscript><p class="hint">Without JavaScript the answer is plain JSON: your link is <code>url</code> in it, and <code>claimUrl</code> is where you keep it.</p></noscript>
<p class="hint">Up to ${formatBytes(limits.maxBytes)}. A single HTML file becomes the start page.</p>`;
}

const livePanel = html`<div class="panel" id="live" hidden>
<h2 id="live-title" tabindex="-1">Your link is live</h2>
<p class="address"><a id="link" href="/" target="_blank" rel="noopener"></a><button class="button" type="button" data-copy="link">Copy link</button></p>
<p>Ends in <span class="clock" id="clock" role="timer"></span></p>
<p class="hint" id="claim-hint">Open this link to keep it: sign in by e-mail code. It is shown only here, and whoever has it can take the project, so keep it to yourself.</p>
<p class="address"><code id="claim"></code><a class="button quiet" id="keep" href="/" target="_blank" rel="noopener noreferrer" aria-describedby="claim-hint">Keep it</a><button class="button quiet" type="button" data-copy="claim" aria-describedby="claim-hint">Copy claim link</button></p>
<div class="choices"><button class="button quiet" id="again" type="button">Publish something else</button></div>
</div>`;
