import type { Page } from 'playwright-core';
import { codeSentTo } from '../../fixtures/accounts/accounts.ts';

/** Waits for the page that has this title. */
export function heading(page: Page, name: string): Promise<void> {
  return page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Clicks the button of this name. */
export function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name }).click();
}

/** Sends the first form and gives the code that was mailed. */
export async function askForCode(page: Page, service: string, email: string): Promise<string> {
  await page.getByLabel('Your e-mail address').fill(email);
  await press(page, 'Send me a code');
  await heading(page, 'Enter the code');
  return codeSentTo(email, service);
}

/** Sends the second form. */
export async function keepIt(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code from the e-mail').fill(code);
  await press(page, 'Keep it');
}

/** Waits for the page of a project that was just claimed. */
export async function claimed(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'It’s yours' }).waitFor();
}

/** A code that is not the right one. */
export function wrongCodeFor(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

/** The page errors that do not follow from a page with this status. */
export function pageErrorsExcept(pageErrors: readonly string[], status: number): string[] {
  const expected = [
    `${status}: `,
    `console: Failed to load resource: the server responded with a status of ${status}`,
  ];
  return pageErrors.filter((error) => !expected.some((start) => error.startsWith(start)));
}
