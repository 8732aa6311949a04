import { type Html, html } from '../parts/html.ts';
import { icon } from '../parts/icons.ts';
import type { Page } from '../parts/page.ts';
import { relativeHref } from '../parts/relative-href.ts';
import type { Subtitles } from '../../../core/visit/bundle-file.ts';
import { type ViewerInput, viewerError, viewerFrame } from './viewer-frame.ts';

const style = `
.screen{display:grid;flex:1;align-items:center;min-height:12rem;background:var(--dark)}
.screen video{display:block;width:100%;height:100%;max-height:calc(100svh - 8.5rem);min-height:12rem}
.screen.sound-only{flex:none;min-height:0}
.screen.sound-only video{height:4rem;min-height:0}
.deck{display:grid;flex:1;align-content:center;justify-items:center;gap:2rem;padding:clamp(2rem,8vh,6rem) clamp(1rem,4vw,2rem)}
.deck .icon{width:7rem;height:7rem;stroke:var(--water);stroke-width:1}
.poster{display:grid;justify-items:center;padding-top:3rem}
.poster .icon{width:5rem;height:5rem;stroke:var(--muted);stroke-width:1}
.poster:has(+[hidden]){display:none}
.deck audio{width:min(44rem,100%)}
`;

/** A recording with the browser's own controls, loaded in parts while it plays. */
export function mediaPage(input: ViewerInput): Page {
  const stage = html`${input.file.type === 'audio' ? deck(input) : screen(input)}
<div class="poster">${icon(input.file.type === 'audio' ? 'audio' : 'video')}</div>
${viewerError('unplayed', 'This browser cannot play this recording', `Not every browser supports its format, or the file is damaged. ${input.isSavable ? 'Download it to play it in another program.' : 'Try another browser.'}`)}
${viewerError('unseen', 'The sound of this film plays, its pictures cannot be shown', `This browser does not support their format. ${input.isSavable ? 'Download it to see it in another program.' : 'Try another browser.'}`)}`;
  // A sound in a format of another computer is played as the script rewrites it.
  const allow = { 'media-src': ['blob:'] };
  return viewerFrame(input, { stage, style, scripts: ['media'], allow });
}

function screen({ file: { name, href }, isSavable, place }: ViewerInput): Html {
  return html`<div class="screen"><video src="${relativeHref(href)}" controls playsinline preload="metadata"${!isSavable && html` controlslist="nodownload"`} aria-label="${name}">${place?.subtitles?.map(track)}</video></div>`;
}

/** Browsers read WebVTT; the script reads the other format, SubRip. */
function track({ href, language }: Subtitles, index: number): Html {
  const isRead = href.toLowerCase().endsWith('.vtt');
  const address = relativeHref(href);
  const source = isRead ? html`src="${address}"` : html`data-srt="${address}"`;
  const label = language ?? (index === 0 ? 'Subtitles' : `Subtitles ${index + 1}`);
  return html`<track kind="subtitles" ${source} label="${label}"${language !== undefined && html` srclang="${language}"`}${index === 0 && ' default'}>`;
}

function deck({ file: { name, href }, isSavable }: ViewerInput): Html {
  return html`<div class="deck">${icon('audio')}<audio src="${relativeHref(href)}" controls preload="metadata"${!isSavable && html` controlslist="nodownload"`} aria-label="${name}"></audio></div>`;
}
