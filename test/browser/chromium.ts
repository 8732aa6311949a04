import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

const pictures = new URL('../../artefacts/browser/', import.meta.url);

/** A Chromium of the test file's own, with a fresh profile that tells nobody anything. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    headless: true,
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Keeps what the page looks like in `artefacts/browser/`, for a person to look at. */
export async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, pictures)), fullPage });
}
