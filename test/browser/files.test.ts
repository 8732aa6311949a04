import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { file, published } from '../fixtures/clouds/client.ts';
import { picture } from './support/chromium.ts';
import { page, visit } from './support/own-page.ts';
import { aPng, zipOf } from './support/sample-files.ts';

describe('a single file', () => {
  test('of HTML runs as a page', async () => {
    const pageErrors = await visit(
      await published([
        file(
          'Tide table.html',
          `<!doctype html><title>Tides</title><style>h1{color:rgb(23,97,109)}</style><h1>Tides</h1>
<script>document.querySelector('h1').append(' at ' + (6 * 2))</script>`,
        ),
      ]),
    );
    expect(await page.title()).toBe('Tides');
    expect(await page.locator('h1').textContent()).toBe('Tides at 12');
    const colour = "getComputedStyle(document.querySelector('h1')).color";
    expect(await page.evaluate(colour)).toBe('rgb(23, 97, 109)');
    expect(pageErrors).toEqual([]);
  });

  test('of an image is shown at its own size', async () => {
    const url = await published([file('hull.png', aPng(120, 80, [179, 54, 26]))]);
    const pageErrors = await visit(url);
    expect(
      await page.evaluate('[document.images[0].naturalWidth, document.images[0].naturalHeight]'),
    ).toEqual([120, 80]);
    await picture(page, 'image');
    expect(pageErrors).toEqual([]);
  });

  test('of plain text is shown as it is', async () => {
    const pageErrors = await visit(
      await published([file('log.txt', 'Ahoi, Überfahrt <b>09:40</b>')]),
    );
    await page.getByText('Ahoi, Überfahrt <b>09:40</b>').waitFor();
    expect(pageErrors).toEqual([]);
  });

  test('that no browser can show is offered as a download with its name', async () => {
    const letter = await zipOf({ mimetype: 'application/vnd.oasis.opendocument.text' });
    const pageErrors = await visit(await published([file('Letter to Åse.odt', letter)]));
    await page.getByRole('heading', { name: 'Letter to Åse.odt' }).waitFor();
    await picture(page, 'offer');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Letter to Åse.odt');
    expect(readFileSync(await download.path()).equals(letter)).toBe(true);
    expect(pageErrors).toEqual([]);
  });
});

test('a folder of files is a list whose links lead into folders and back', async () => {
  const url = await published([
    file('readme.txt', 'Read me first'),
    file('photos/bow.png', aPng(30, 20, [23, 97, 109])),
    file('photos/2026/stern & wake.png', aPng(40, 20, [18, 36, 44])),
    file('a#b?c%.txt', 'An awkward name'),
  ]);
  const pageErrors = await visit(url);
  const entry = (name: string) => page.getByRole('link', { name, exact: true });
  await picture(page, 'listing');

  await entry('photos').click();
  await page.waitForURL(/\/photos\/$/);
  await page.getByRole('heading', { name: 'photos' }).waitFor();
  await entry('2026').click();
  await page.waitForURL(/\/photos\/2026\/$/);
  await picture(page, 'listing-below');
  await entry('stern & wake.png').click();
  const opened = page.getByRole('dialog').getByRole('img', { name: 'stern & wake.png' });
  await opened.waitFor();
  await page.waitForFunction('document.querySelector("dialog img").naturalWidth === 40');
  await page.keyboard.press('Escape');
  await page.getByRole('navigation').getByRole('link', { name: 'photos', exact: true }).click();
  await page.waitForURL(/\/photos\/$/);
  await page.goto(`${url}/photos/bow.png`);
  await page.waitForFunction('document.images[0]?.naturalWidth === 30');
  await page.goBack();
  await page.getByRole('navigation').getByRole('link').first().click();
  await page.waitForURL(`${url}/`);
  await entry('a#b?c%.txt').click();
  await page.getByText('An awkward name').waitFor();
  expect(pageErrors).toEqual([]);
});
