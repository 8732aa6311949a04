import { zoneScript } from './zone-script.ts';

/**
 * The landing page's script: publishes without an account, shows the link and counts it down.
 * Without it the form still works and answers JSON.
 */
export const landingScript = String.raw`(() => {
'use strict';
${zoneScript}
const deliver = deliverForm;
let clock;

function showPublished(data, retry, date) {
  busy = false;
  at('claim').textContent = data.claimUrl;
  at('keep').href = data.claimUrl;
  showLink(data.url, 'Your link is live', data.warnings);
  // The header has whole seconds; better too little time left than too much.
  const skew = (Date.parse(date) + 999 || Date.now()) - Date.now();
  clearInterval(clock);
  const tick = () => {
    const left = Date.parse(data.expiresAt) - Date.now() - skew;
    at('clock').textContent = leftText(left);
    if (left > 0) return;
    clearInterval(clock);
    at('live-title').textContent = 'The time is up';
    showMessage('The link has expired, unless you claimed the project.', 'Publish again for a new one.');
  };
  clock = setInterval(tick, 1000);
  tick();
}

at('publish-hidden').onclick = () => publish(sent.picked, true);
at('again').onclick = () => { clearInterval(clock); at('said').replaceChildren(); reset(); };
})();`;
