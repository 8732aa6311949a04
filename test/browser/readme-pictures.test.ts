import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn } from '../fixtures/accounts/accounts.ts';
import { baseUrl, file, somebody } from '../fixtures/clouds/client.ts';
import { created } from '../fixtures/projects/projects.ts';
import { look, open, whenCounted } from '../fixtures/visits/opens.ts';
import { openPage } from './support/chromium.ts';
import { signInOn, viewAt } from './support/dashboard.ts';
import { browser } from './support/own-browser.ts';

const pictures = new URL('../../docs/pictures/', import.meta.url);
const maxBytes = 150_000;

const report = `# Harbour report

**Third quarter.** The new quay took its first ships in August. Traffic grew in every month.

| Month | Ships | Cargo (t) | Waiting time |
|---|--:|--:|--:|
| July | 212 | 48,300 | 3 h 10 min |
| August | 261 | 61,900 | 2 h 05 min |
| September | 274 | 66,200 | 1 h 40 min |

\`\`\`mermaid
flowchart LR
  arrival[Arrival] --> pilot[Pilot] --> quay[Quay] --> customs[Customs] --> road[Road]
\`\`\`

> Ships wait half as long as in spring, because pilots now see the plan of the next day.

## What comes next

1. The second crane, in November
2. Night shifts on the western quay
3. A timetable that shippers can subscribe to
`;

/** Takes a picture of a page; with `UPDATE_PICTURES=1` (`npm run pictures`) it becomes the README's. */
async function take(page: Page, name: string): Promise<void> {
  const bytes = await page.screenshot();
  expect(bytes.length).toBeLessThanOrEqual(maxBytes);
  expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).toContain(
    `docs/pictures/${name}.png`,
  );
  if (process.env['UPDATE_PICTURES'] !== undefined) {
    mkdirSync(pictures, { recursive: true });
    writeFileSync(new URL(`${name}.png`, pictures), bytes);
  }
  expect(statSync(new URL(`${name}.png`, pictures)).size).toBeLessThanOrEqual(maxBytes);
}

test('the README shows the front page, a shared document and a project’s page', async () => {
  const email = 'anna@harbour.example';
  const key = await signIn(email);
  const { projectId, url } = await created(key, {
    files: [file('harbour-report.md', report)],
    fields: { title: 'Harbour report' },
  });
  const readers = [somebody(), somebody(), somebody()];
  for (const from of readers) {
    await look(url, { from });
    await open(url, { from });
  }
  await whenCounted(key, projectId, ({ opens }) => opens.total === readers.length);

  const options = { viewport: { width: 1100, height: 720 }, colorScheme: 'light' } as const;
  const page = await openPage(browser, options);
  await page.goto(baseUrl, { waitUntil: 'networkidle' });
  await take(page, 'front-page');
  await page.goto(url);
  await page.locator('.diagram img').waitFor();
  await take(page, 'document');
  await page.goto(viewAt(`/projects/${projectId}`));
  await signInOn(page, email);
  await page.getByText(`It was opened ${readers.length} times`).waitFor();
  await page.waitForLoadState('networkidle');
  await take(page, 'project');
  await page.context().close();
});
