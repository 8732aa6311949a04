import type { Page } from 'playwright-core';

/** What somebody must be able to see of a file: a text of the page, a message, or a thing on it. */
export type Sight = { text: string } | { alert: RegExp } | { selector: string };

/** Resolves when it is there. */
export function seen(page: Page, see: Sight): Promise<void> {
  if ('alert' in see) return page.getByRole('alert').filter({ hasText: see.alert }).waitFor();
  if ('selector' in see) return page.locator(see.selector).first().waitFor();
  return page.locator('body').filter({ hasText: see.text }).waitFor();
}
