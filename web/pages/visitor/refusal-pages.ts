import { slipwayDrawing } from '../parts/drawings.ts';
import { type Html, html } from '../parts/html.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { visitorFrame } from './visitor-frame.ts';

const texts = {
  site: {
    title: 'There is nothing at this address',
    text: 'No page is published here. The address may be misspelled, or the page may have been removed.',
    next: html`<p>Check the spelling of the address, or ask the person who sent it for a new link.</p>`,
  },
  file: {
    title: 'This page does not exist',
    text: 'The site exists, but it has no page at this address.',
    next: html`<p>Check the address, or <a href="/">go to the start page of this site</a>.</p>`,
  },
} as const;

interface Refusal {
  brand: string;
  status: number;
  title: string;
  /** What happened. */
  text: string;
  /** What else its reader should know or do. */
  next?: Html;
  /** Default: a boat that has gone. */
  drawing?: 'away' | 'none' | false;
}

function refusalPage({ brand, status, title, text, next, drawing = 'away' }: Refusal): Page {
  const body = visitorFrame(
    brand,
    html`<div class="message">
${drawing && slipwayDrawing(drawing)}
<p class="status">${status}</p>
<h1>${title}</h1>
<p>${text}</p>${next && html`\n${next}`}
</div>`,
  );
  return renderPage({ brand, title, body, noIndex: true });
}

/**
 * 404, for a host that serves no site, or for a site without such a file.
 *
 * The page does not show the address: otherwise anybody could put text on it with a link. Without a
 * brand, nothing on it shows whose service it is.
 */
export function notFoundPage({ brand, kind }: { brand: string; kind: 'site' | 'file' }): Page {
  return refusalPage({ brand, status: 404, drawing: brand !== '' && 'none', ...texts[kind] });
}

/** 410: the project has expired. Says nothing about what it was or whether it was protected. */
export function gonePage({ brand }: { brand: string }): Page {
  return refusalPage({
    brand,
    status: 410,
    title: 'This link has expired',
    text: 'It worked for a limited time only. The content is no longer available.',
    next: html`<p>If you still need it, ask the person who sent you the link for a new one.</p>
<p class="note">Was it yours? Publish it again to get a new link. If you publish without an account, press “Keep it” before the time is up.</p>`,
  });
}

/** 410: a share link that has expired, or that people have opened as often as its owner allows. */
export function endedLinkPage({
  brand,
  state,
}: {
  brand: string;
  state: 'expired' | 'used-up';
}): Page {
  const [title, text] =
    state === 'expired'
      ? ['This link has expired', 'It worked for a limited time only.']
      : ['This link has been used up', 'It could be opened a limited number of times.'];
  const next = html`<p>If you still need the page, ask the person who sent you the link for a new one.</p>`;
  return refusalPage({ brand, status: 410, title, text, next });
}

/** 451: a takedown by the operator. Only the owner can see the reason. */
export function withheldPage({ brand }: { brand: string }): Page {
  return refusalPage({
    brand,
    status: 451,
    title: 'This page has been taken down',
    text: 'The operator of this service took it down after a report or for legal reasons.',
    next: html`<p class="note">Is it yours? Sign in to your account to see the reason.</p>`,
  });
}

/**
 * 503: the account has passed its monthly visit limit, or a temporary project was loaded too often. Says nothing about
 * which projects were visited.
 */
export function restingPage({
  brand,
  isTemporary = false,
}: {
  brand: string;
  isTemporary?: boolean | undefined;
}): Page {
  if (isTemporary) {
    return refusalPage({
      brand,
      status: 503,
      title: 'Resting',
      text: 'This page belongs to nobody yet, and it was loaded too often for that.',
      next: html`<p class="note">Is it yours? Open your claim link and keep the page: it is back at once.</p>`,
    });
  }
  return refusalPage({
    brand,
    status: 503,
    title: 'Resting until next month',
    text: 'The owner’s account has passed its monthly visit limit. The page comes back automatically on the first day of next month (UTC).',
    next: html`<p class="note">Is it yours? Change to a larger plan to bring it back now.</p>`,
  });
}

/** Any other refusal, such as 405 and 503; `text` says what happened and what to do. */
export function errorPage(error: Pick<Refusal, 'brand' | 'status' | 'title' | 'text'>): Page {
  return refusalPage({ ...error, drawing: 'none' });
}
