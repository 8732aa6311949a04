import { fetchFile } from '../parts/fetch-file.ts';
import { element, unhide } from '../parts/viewer-root.ts';
import { runWorker } from '../parts/worker-answer.ts';
import type { PictureRequest } from './decode-picture.ts';

/** What the worker makes of a page: a picture that every browser shows. */
export interface PictureAnswer {
  picture: Blob;
  pages: number;
}

const limits = { bytes: 100 * 1024 * 1024, seconds: 30 } as const;

/** Shows a picture that the browser cannot decode, and buttons if it has several pages. */
export async function showDecoded(stage: HTMLElement, image: HTMLImageElement): Promise<void> {
  const { worker = '', decoder = '', name = '' } = stage.dataset;
  const address = image.src;
  const show = async (page: number): Promise<number> => {
    const request = fetchFile(address, limits.bytes).then((bytes) => ({
      message: { name, bytes, decoder: new URL(decoder, address).href, page },
      moved: [bytes.buffer],
    }));
    const { picture, pages } = await runWorker<PictureRequest, PictureAnswer>({
      script: worker,
      request,
      seconds: limits.seconds,
    });
    URL.revokeObjectURL(image.src);
    await load(image, URL.createObjectURL(picture));
    return pages;
  };
  const pages = await show(0);
  if (pages > 1) followButtons(pages, show);
}

/** Tries it in an image of its own: Firefox refuses `decode()` where the last source could not be shown. */
async function load(image: HTMLImageElement, source: string): Promise<void> {
  const tried = new Image();
  tried.src = source;
  await tried.decode();
  await new Promise((resolve) => {
    image.addEventListener('load', resolve, { once: true });
    image.src = source;
  });
}

function followButtons(pages: number, show: (page: number) => Promise<number>): void {
  const place = element('[data-pages] output', HTMLOutputElement);
  let shown = 0;
  const tell = () => {
    place.value = ` Page ${shown + 1} of ${pages} `;
  };
  let last = Promise.resolve();
  const turn = async (step: number) => {
    const page = Math.min(pages - 1, Math.max(0, shown + step));
    if (page === shown) return;
    try {
      await show(page);
      shown = page;
      tell();
    } catch {
      place.value = ` Page ${page + 1} cannot be shown `;
    }
  };
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-page]')) {
    button.addEventListener('click', () => {
      last = last.then(async () => turn(Number(button.dataset['page'])));
    });
  }
  tell();
  unhide('[data-pages]');
}
