import { expect, test } from '@jest/globals';
import { consentPage } from '../../web/pages/oauth/consent-page.ts';
import { aConsent } from '../unit/web/pages/every-page.ts';
import { browser } from './support/own-browser.ts';

test.each([
  [1280, 900],
  [390, 844],
])(
  'at %d × %d, Allow is there without scrolling, and the name is not larger than the host',
  async (width, height) => {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.setContent(consentPage(aConsent()).html);
    const box = await page.getByRole('button', { name: 'Allow', exact: true }).boundingBox();
    expect(box).not.toBeNull();
    expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    const sizes = await page.evaluate(
      `['h1', '.facts strong'].map((one) => parseFloat(getComputedStyle(document.querySelector(one)).fontSize))`,
    );
    const [name = 0, host = 0] = sizes as number[];
    expect(host).toBeGreaterThanOrEqual(name);
    await page.close();
  },
);
