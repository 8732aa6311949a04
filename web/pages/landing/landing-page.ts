import { mark } from '../parts/drawings.ts';
import { html } from '../parts/html.ts';
import type { Landing } from './landing.ts';
import { landingGuide } from './landing-guide.ts';
import { landingScript } from './landing-script.ts';
import { landingZone } from './landing-zone.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { count } from '../parts/sizes.ts';

/** The front page: a drop zone that publishes, and what there is to know about it. */
export function landingPage(landing: Landing): Page {
  const { brand, limits } = landing;
  const minutes = count(Math.round(limits.lifetimeSeconds / 60), 'minute');
  const body = html`<a class="skip" href="#launch">Skip to upload</a>
<header class="top">
<p class="name display">${mark()}<span>${brand}</span></p>
<nav aria-label="On this page"><a href="#kinds">What it takes</a><a href="#api">API</a></nav>
</header>
<main>
<div class="wide hero">
<div class="pitch">
<h1>Drop files. Get a link.</h1>
<p>A page, a folder or a ZIP gets its own address at once. Anyone with the link can open it for the next ${minutes}, and you need no account.</p>
</div>
${landingZone(limits)}
</div>
${landingGuide(landing)}
</main>
<footer class="foot wide"><p>${mark()}<span>${brand}</span></p></footer>`;
  return renderPage({
    brand,
    title: 'Drop files, share the link',
    description: `${brand} turns files, folders and ZIPs into links that work at once.`,
    body,
    script: landingScript,
    forms: true,
  });
}
