/**
 * Reports to the site that a person saw this page: once for each time it is loaded.
 *
 * It runs in pages that others wrote. It leaves nothing behind, neither a name nor a cookie, and
 * fails in silence. In a page that may not talk to its own site it does nothing.
 */
(() => {
  try {
    const { origin, pathname } = location;
    // Short names: this script is part of each page.
    const page = document;
    const browser = navigator;
    // Excludes sandboxed pages, which have no origin, and automated browsers.
    if (self.origin !== origin || browser.webdriver) return;
    let { referrer } = page;
    try {
      // The page that led to the password page, which kept it for this tab (`web/pages/visitor/access-pages.ts`).
      const kept = sessionStorage;
      referrer = kept['slipway'] ?? referrer;
      delete kept['slipway'];
    } catch {}
    const tell = () => {
      if (page.visibilityState !== 'visible' || Reflect.get(page, 'prerendering')) return;
      for (const moment of moments) page.removeEventListener(moment, tell);
      const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join('');
      const report = { id, path: pathname, r: referrer.slice(0, 400) };
      const post = () => {
        const body = JSON.stringify(report);
        // Absolute: a page's `<base>` may point elsewhere.
        const url = `${origin}/_slipway/open`;
        if (!browser.sendBeacon(url, body)) {
          fetch(url, { method: 'POST', body, keepalive: true }).catch(() => {});
        }
      };
      const query = new URLSearchParams(report);
      // Browsers that have these three features also send `Sec-Fetch-Site`; the site counts no GET
      // without it.
      const isKnown = 'keepalive' in Request.prototype && 'text' in Blob.prototype;
      // A service worker of the site may answer in place of the service.
      const isAlone = !browser.serviceWorker?.controller;
      if (!isKnown || !('userActivation' in browser) || !isAlone || `${query}`.length > 2000)
        post();
      else {
        // Nothing is counted twice: a report that arrives again has the same id.
        const url = `${origin}/_slipway/seen?${query}`;
        fetch(url, { keepalive: true, cache: 'no-store' })
          .then(({ status }) => status === 404 && post(), post)
          .catch(() => {});
      }
    };
    const moments = ['visibilitychange', 'prerenderingchange'];
    for (const moment of moments) page.addEventListener(moment, tell);
    tell();
  } catch {}
})();
