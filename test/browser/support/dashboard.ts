import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { codeSentTo } from '../../fixtures/accounts/accounts.ts';
import { baseUrl } from '../../fixtures/clouds/client.ts';

/** The address of a view of the web app. */
export const viewAt = (path: string) => `${baseUrl}/dashboard${path}`;

/** Signs in on the page that is open; the last digit of the code sends it. */
export async function signInOn(page: Page, email: string): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.getByLabel('E-mail address').fill(email);
  await button('Send the code').click();
  const code = page.getByLabel('Six-digit code');
  await code.waitFor();
  await code.fill(await codeSentTo(email));
}

/** Waits until a view shows what it read. */
export async function untilRead(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Runs in the page. Everything but violations is left out: describing it takes ten times as long. */
const findSerious = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
  .filter(({ impact }) => /serious|critical/.test(impact))
  .map(({ id, nodes }) => id + ' ' + nodes[0].html))`;

/** What axe finds in both colour schemes, with the view's name. */
export async function seriousFindings(page: Page, view: string): Promise<string[]> {
  // The page's policy lets nobody add a script; the browser itself may.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(`${axe}; true`);
  const findings: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate<string[]>(findSerious);
    findings.push(...found.map((one) => `${view} (${colorScheme}): ${one}`));
  }
  return findings;
}

/** Pairs of controls of a view that cover each other, as a person with a mouse would find them. */
export async function overlappingControls(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const controls = [...document.querySelectorAll('main :is(a, button, input, select, textarea)')]
      .filter((one) => one.checkVisibility() && one.offsetWidth > 4 && !one.closest('.unseen'));
    const boxes = controls.map((one) => [one, one.getBoundingClientRect()]);
    return boxes.flatMap(([a, first], at) => boxes.slice(at + 1)
      .filter(([b, second]) => !a.contains(b) && !b.contains(a) &&
        Math.min(first.right, second.right) - Math.max(first.left, second.left) > 1 &&
        Math.min(first.bottom, second.bottom) - Math.max(first.top, second.top) > 1)
      .map(([b]) => a.outerHTML.slice(0, 60) + ' and ' + b.outerHTML.slice(0, 60)));
  })()`);
}
