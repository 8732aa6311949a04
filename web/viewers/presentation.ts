import { buildPresentation, parseZipLazyMedia } from '@aiden0z/pptx-renderer';
import { writeStoredZip } from './parts/write-stored-zip.ts';
import { officeLimits, unpackZipParts } from './parts/zip-parts.ts';
import { ViewerError } from './parts/fetch-file.ts';
import { fetchUnlocked } from './parts/fetch-unlocked.ts';
import { prepareSlides } from './parts/prepare-slides.ts';
import { Slides } from './parts/slides.ts';
import { runViewer } from './parts/viewer-root.ts';

const maxBytes = 100 * 1024 * 1024;

const steps = new Map([
  ['ArrowRight', 1],
  ['ArrowLeft', -1],
  ['PageDown', 1],
  ['PageUp', -1],
]);
/** In full screen there is nothing to scroll, so these keys change slides. */
const stepsInFullScreen = new Map([...steps, ['ArrowDown', 1], ['ArrowUp', -1], [' ', 1]]);

function onKey(event: KeyboardEvent, slides: Slides): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const step = (document.fullscreenElement ? stepsInFullScreen : steps).get(event.key);
  if (step === undefined) return;
  event.preventDefault();
  slides.go(step);
}

// Last, because it runs immediately: constants below it would not be initialized yet.
await runViewer(async ({ source, stage }) => {
  const bytes = await fetchUnlocked(source, maxBytes, stage);
  const archive = writeStoredZip(await prepareSlides(await unpackZipParts(bytes, officeLimits)));
  const deck = buildPresentation(await parseZipLazyMedia(archive.buffer), { lazySlides: true });
  if (deck.slides.length === 0) throw new ViewerError('The presentation has no slides.');
  const controls = document.querySelector<HTMLElement>('[data-controls]');
  const position = document.querySelector<HTMLElement>('[data-position]');
  const slides = new Slides(deck, stage, (number) => {
    if (position) position.textContent = `Slide ${number} of ${deck.slides.length}`;
  });
  const present = controls?.querySelector<HTMLElement>('[data-present]');
  if (present) present.hidden = !document.fullscreenEnabled;
  controls?.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button?.dataset['go'] !== undefined) slides.go(Number(button.dataset['go']));
    if (button?.dataset['present'] !== undefined) void stage.requestFullscreen();
  });
  document.addEventListener('keydown', (event) => onKey(event, slides));
});
