import { type Html, html } from '../parts/html.ts';
import { icon } from '../parts/icons.ts';
import type { Page } from '../parts/page.ts';
import { relativeHref } from '../parts/relative-href.ts';
import { type Viewed, viewerFault, viewerPage } from './viewer-page.ts';

const style = `
.screen{display:grid;flex:1;align-items:center;min-height:12rem;background:var(--dark)}
.screen video{display:block;width:100%;height:100%;max-height:calc(100svh - 8.5rem);min-height:12rem}
.deck{display:grid;flex:1;align-content:center;justify-items:center;gap:2rem;padding:clamp(2rem,8vh,6rem) clamp(1rem,4vw,2rem)}
.deck .icon{width:7rem;height:7rem;stroke:var(--water);stroke-width:1}
.deck audio{width:min(44rem,100%)}
`;

/** A recording under the browser's own controls; it is fetched in parts, as it is played. */
export function mediaPage(viewed: Viewed): Page {
  const stage = html`${viewed.file.type === 'audio' ? deck(viewed) : screen(viewed)}
${viewerFault('unplayed', 'This browser cannot play this recording', 'It does not know the format, or the file is damaged. Other programs may still play it.')}`;
  return viewerPage(viewed, { stage, style, scripts: ['media'] });
}

function screen({ file: { name, href }, isSavable }: Viewed): Html {
  return html`<div class="screen"><video src="${relativeHref(href)}" controls playsinline preload="metadata"${!isSavable && html` controlslist="nodownload"`} aria-label="${name}"></video></div>`;
}

function deck({ file: { name, href }, isSavable }: Viewed): Html {
  return html`<div class="deck">${icon('audio')}<audio src="${relativeHref(href)}" controls preload="metadata"${!isSavable && html` controlslist="nodownload"`} aria-label="${name}"></audio></div>`;
}
