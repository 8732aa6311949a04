import { afterAll, beforeAll, jest } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startChromium } from './chromium.ts';

jest.setTimeout(600_000);

/** The Chromium of the test file that imports it, which starts before its tests and ends after them. */
export let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
}, 600_000);

afterAll(() => browser?.close());
