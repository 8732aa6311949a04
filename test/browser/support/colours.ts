import type { Browser, Locator, Page } from 'playwright-core';

/** What share of a picture has a colour; the name of a colour, and the share from 0 to 1. */
export type Colours = ReadonlyMap<string, number>;

/** Runs in the page of `counterIn`: counts colours, rounded to 16 steps of each part. */
const count = `async (png) => {
  const picture = await createImageBitmap(await (await fetch(png)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const drawing = canvas.getContext('2d');
  drawing.drawImage(picture, 0, 0);
  const { data } = drawing.getImageData(0, 0, picture.width, picture.height);
  const counts = {};
  for (let at = 0; at < data.length; at += 4) {
    const name = [data[at] >> 4, data[at + 1] >> 4, data[at + 2] >> 4].join();
    counts[name] = (counts[name] ?? 0) + 4 / data.length;
  }
  return Object.entries(counts);
}`;

const counters = new WeakMap<Browser, Promise<Page>>();

/** A page that counts the colours of all pictures of a Chromium; it has no policy and no content. */
function counterIn(browser: Browser): Promise<Page> {
  const counter = counters.get(browser) ?? browser.newPage();
  counters.set(browser, counter);
  return counter;
}

/** The colours of an element as it is seen, each part in 16 steps: `15,0,0` is red. */
export async function coloursOf(element: Locator): Promise<Colours> {
  const png = (await element.screenshot()).toString('base64');
  const browser = element.page().context().browser();
  if (browser === null) throw new Error('the page belongs to no browser');
  const counter = await counterIn(browser);
  const counts = await counter.evaluate<[string, number][]>(
    `(${count})('data:image/png;base64,${png}')`,
  );
  return new Map(counts);
}

/** The share of what `is` holds true of, given red, green and blue from 0 to 15. */
export function shareOf(
  colours: Colours,
  is: (red: number, green: number, blue: number) => boolean,
): number {
  let share = 0;
  for (const [name, part] of colours) {
    const [red = 0, green = 0, blue = 0] = name.split(',').map(Number);
    if (is(red, green, blue)) share += part;
  }
  return share;
}
