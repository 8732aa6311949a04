import { at, showMessage, startCopyButtons } from './panels.ts';
import type { Published } from './send-form.ts';
import { leftText } from './texts.ts';
import { startZone } from './zone.ts';

/**
 * The script of the pages that people see without an account: the front page, the page of an upload link,
 * and the one about connecting an agent. All text from files and responses is written with `textContent`.
 */
function start(): void {
  startCopyButtons();
  if (document.getElementById('launch') === null) return;
  if (document.getElementById('claim') === null) {
    startZone({ title: 'It is published', publishesOnce: true });
    return;
  }
  at('again').addEventListener('click', () => clearInterval(clock));
  startZone({ title: 'Your link is live', publishesOnce: false, onPublished: showClaim });
}

let clock: ReturnType<typeof setInterval> | undefined;

/** Shows the link that keeps a temporary project, and counts its time down. */
function showClaim({ data, date }: Published): void {
  if (!('claimUrl' in data)) return;
  const { claimUrl, expiresAt } = data;
  at('claim').textContent = claimUrl;
  at('keep').setAttribute('href', claimUrl);
  // The header has whole seconds; better too little time left than too much.
  const skew = (Date.parse(date ?? '') + 999 || Date.now()) - Date.now();
  clearInterval(clock);
  const tick = () => {
    const left = Date.parse(expiresAt ?? '') - Date.now() - skew;
    at('clock').textContent = leftText(left);
    if (left > 0) return;
    clearInterval(clock);
    at('live-title').textContent = 'The time is up';
    const what = 'The link has expired, unless you claimed the project.';
    showMessage(what, 'Publish again for a new one.');
  };
  clock = setInterval(tick, 1000);
  tick();
}

start();
