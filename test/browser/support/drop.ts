import type { Page } from 'playwright-core';

/** Drags files and folders of this machine onto `selector` and lets them go, as the desktop does it. */
export async function dropOn(page: Page, selector: string, paths: string[]): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not on the page`);
  const devtools = await page.context().newCDPSession(page);
  const where = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, ...where, data });
  }
  await devtools.detach();
}
