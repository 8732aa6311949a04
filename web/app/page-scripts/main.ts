import { keepLink, keptLinks, type KeptLink } from './kept-links.ts';
import { at, showLink, showMessage, startCopyButtons } from './panels.ts';
import type { Published } from './send-form.ts';
import { leftText } from './texts.ts';
import { linkToken, startZone } from './zone.ts';
import { interruptedUploads } from '../upload/interrupted.ts';

const liveTitle = 'Your link is live';

/**
 * The script of the pages that people see without an account: the front page, the page of an upload link,
 * and the one about connecting an agent. All text from files and responses is written with `textContent`.
 */
function start(): void {
  startCopyButtons();
  if (document.getElementById('launch') === null) return;
  if (document.getElementById('claim') === null) {
    startZone({ title: 'It is published', publishesOnce: true });
    if (interruptedUploads(linkToken(), Date.now()).length > 0) {
      const next = 'Choose the same files again: what has arrived is not sent again.';
      showMessage('Your upload was interrupted.', next);
    }
    return;
  }
  at('again').addEventListener('click', () => {
    clearInterval(clock);
    listLinks();
  });
  startZone({ title: liveTitle, publishesOnce: false, onPublished: showPublished });
  const [latest] = keptLinks(Date.now());
  if (latest === undefined) return;
  showLink(latest.url, liveTitle, '');
  showClaim(latest);
}

let clock: ReturnType<typeof setInterval> | undefined;

/** Shows what was just published without an account, and keeps it for a reload of the page. */
function showPublished({ data, date }: Published): void {
  if (!('claimUrl' in data)) return;
  const { url, claimUrl, expiresAt } = data;
  // The header has whole seconds; better too little time left than too much.
  const skew = (Date.parse(date ?? '') + 999 || Date.now()) - Date.now();
  const link = { url, claimUrl, endsAt: Date.parse(expiresAt ?? '') - skew };
  keepLink(link, Date.now());
  showClaim(link);
}

/** Shows the link that keeps a temporary project, and counts its time down. */
function showClaim(shown: KeptLink): void {
  const { claimUrl, endsAt } = shown;
  at('claim').textContent = claimUrl;
  at('keep').setAttribute('href', claimUrl);
  listLinks(shown);
  clearInterval(clock);
  const tick = () => {
    const left = endsAt - Date.now();
    at('clock').textContent = leftText(left);
    if (left > 0) return;
    clearInterval(clock);
    at('live-title').textContent = 'The time is up';
    const what = 'The link has expired, unless you kept the project.';
    showMessage(what, 'Publish again for a new one.');
  };
  clock = setInterval(tick, 1000);
  tick();
}

/** Lists the other links that were published in this tab and still work. */
function listLinks(shown?: KeptLink): void {
  const others = keptLinks(Date.now()).filter(({ url }) => url !== shown?.url);
  at('earlier').hidden = others.length === 0;
  at('earlier-links').replaceChildren(
    ...others.map(({ url, claimUrl }) => {
      const item = document.createElement('li');
      const name = url.replace(/^https?:\/\//, '').replace(/\/$/, '');
      item.append(linkTo(url, name), ' · ', linkTo(claimUrl, 'Keep it'));
      return item;
    }),
  );
}

function linkTo(href: string, text: string): HTMLAnchorElement {
  const link = document.createElement('a');
  Object.assign(link, { href, target: '_blank', rel: 'noopener noreferrer', textContent: text });
  return link;
}

start();
