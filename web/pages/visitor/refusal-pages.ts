import { slipwayDrawing } from '../parts/drawings.ts';
import { html } from '../parts/html.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { visitorFrame } from './visitor-frame.ts';

const texts = {
  site: {
    title: 'There is nothing at this address',
    what: 'No page is published here. The address may be misspelled, or the page may have been removed.',
    next: html`<p>Check the spelling of the address, or ask the person who sent it for a new link.</p>`,
  },
  file: {
    title: 'This page does not exist',
    what: 'The site exists, but it has no page at this address.',
    next: html`<p>Check the address, or <a href="/">go to the start page of this site</a>.</p>`,
  },
} as const;

/**
 * 404, for a host that serves no site, or for a site without such a file.
 *
 * The page does not show the address: otherwise anybody could put text on it with a link. Without a
 * brand, nothing on it shows whose service it is.
 */
export function notFoundPage({ brand, kind }: { brand: string; kind: 'site' | 'file' }): Page {
  const { title, what, next } = texts[kind];
  const body = visitorFrame(
    brand,
    html`<div class="message">
${brand !== '' && slipwayDrawing('none')}
<p class="status">404</p>
<h1>${title}</h1>
<p>${what}</p>
${next}
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}

/** 410: the project has expired. Says nothing about what it was or whether it was protected. */
export function gonePage({ brand }: { brand: string }): Page {
  const title = 'This link has expired';
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipwayDrawing('away')}
<p class="status">410</p>
<h1>${title}</h1>
<p>It worked for a limited time only. The content is no longer available.</p>
<p>If you still need it, ask the person who sent you the link for a new one.</p>
<p class="note">Was it yours? Publish it again to get a new link. If you publish without an account, press “Keep it” before the time is up.</p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}

/** 410: a share link that has expired, or that people have opened as often as its owner allows. */
export function endedLinkPage({
  brand,
  state,
}: {
  brand: string;
  state: 'expired' | 'used-up';
}): Page {
  const title = state === 'expired' ? 'This link has expired' : 'This link has been used up';
  const why =
    state === 'expired'
      ? 'It worked for a limited time only.'
      : 'It could be opened a limited number of times.';
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipwayDrawing('away')}
<p class="status">410</p>
<h1>${title}</h1>
<p>${why}</p>
<p>If you still need the page, ask the person who sent you the link for a new one.</p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}

/** 451: a takedown by the operator. Only the owner can see the reason. */
export function withheldPage({ brand }: { brand: string }): Page {
  const title = 'This page has been taken down';
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipwayDrawing('away')}
<p class="status">451</p>
<h1>${title}</h1>
<p>The operator of this service took it down after a report or for legal reasons.</p>
<p class="note">Is it yours? Sign in to your account to see the reason.</p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}

/** 503: the account has passed its monthly visit limit. Says nothing about which projects were visited. */
export function restingPage({ brand }: { brand: string }): Page {
  const title = 'Resting until next month';
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipwayDrawing('away')}
<p class="status">503</p>
<h1>${title}</h1>
<p>The owner’s account has passed its monthly visit limit. The page comes back automatically on the first day of next month (UTC).</p>
<p class="note">Is it yours? Change to a larger plan to bring it back now.</p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}

/** Any other refusal, such as 405 and 503; `text` says what happened and what to do. */
export function errorPage(error: {
  brand: string;
  status: number;
  title: string;
  text: string;
}): Page {
  const { brand, status, title, text } = error;
  const body = visitorFrame(
    brand,
    html`<div class="message">
${slipwayDrawing('none')}
<p class="status">${status}</p>
<h1>${title}</h1>
<p>${text}</p>
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}
