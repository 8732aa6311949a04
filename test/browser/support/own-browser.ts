import { afterAll, beforeAll, jest } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startChromium } from './chromium.ts';
import { type OwnAddress, ownAddress } from './own-address.ts';

jest.setTimeout(600_000);

/** The Chromium of the test file that imports it, which starts before its tests and ends after them. */
export let browser: Browser;
/** The address from which the service sees it. */
export let address: OwnAddress;

beforeAll(async () => {
  address = await ownAddress();
  browser = await startChromium(address);
}, 600_000);

afterAll(() => browser?.close());
