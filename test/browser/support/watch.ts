import type { ConsoleMessage, Page, Request } from 'playwright-core';

/**
 * Everything that goes wrong while a page loads and runs, in words, as it happens: errors in the
 * console (refusals of the content security policy among them), uncaught errors, requests that fail
 * or answer 400 and more, and requests to any host but `host`.
 */
export function watch(page: Page, host: string): string[] {
  const pageErrors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !isUnasked(message))
      pageErrors.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => pageErrors.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    if (isForeign(request, host)) pageErrors.push(`foreign: ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown';
    // The page gave up by itself: a player that seeks, a download, an upload that was cancelled.
    if (reason !== 'net::ERR_ABORTED') pageErrors.push(`failed: ${request.url()} ${reason}`);
  });
  page.on('response', (response) => {
    const status = response.status();
    if (status >= 400) pageErrors.push(`${status}: ${response.url()}`);
  });
  return pageErrors;
}

/** Chromium asks for an icon that no page has named, and complains where there is none. */
function isUnasked(message: ConsoleMessage): boolean {
  return message.location().url.endsWith('/favicon.ico');
}

/** Neither the site nor the browser's own pages, such as its PDF viewer. */
function isForeign(request: Request, host: string): boolean {
  const url = new URL(request.url());
  return /^(?:https?|wss?):$/.test(url.protocol) && url.host !== host;
}

/** What somebody must be able to see of a file: a text of the page, a message, or a thing on it. */
export type Sight = { text: string } | { alert: RegExp } | { selector: string };

/** Resolves when it is there. */
export function seen(page: Page, see: Sight): Promise<void> {
  if ('alert' in see) return page.getByRole('alert').filter({ hasText: see.alert }).waitFor();
  if ('selector' in see) return page.locator(see.selector).first().waitFor();
  return page.locator('body').filter({ hasText: see.text }).waitFor();
}
