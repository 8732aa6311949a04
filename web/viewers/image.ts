import { ViewerError } from './parts/fetch-file.ts';
import { checkDrawing } from './pictures/check-drawing.ts';
import { element, unhide } from './parts/viewer-root.ts';

const stage = element('.picture', HTMLElement);
const image = element('.picture img', HTMLImageElement);
const size = element('.tools output', HTMLOutputElement);

const step = 1.25;
const most = 16;

/** Pixels on screen for one of the picture; `undefined` while it fits the window. */
let scale: number | undefined;

/** A drawing may have no size of its own. */
const naturalWidth = () => image.naturalWidth || image.clientWidth || 1;
const shownScale = () => image.getBoundingClientRect().width / naturalWidth();

function tell(): void {
  size.value = `${Math.round(shownScale() * 100)} %`;
}

function fit(): void {
  scale = undefined;
  stage.classList.remove('near');
  image.style.width = '';
  tell();
}

/** Enlarges so that the point of the picture under the pointer, or in the middle, stays where it is. */
function zoomTo(wanted: number, at = middle()): void {
  const before = image.getBoundingClientRect();
  const x = (at.clientX - before.left) / before.width;
  const y = (at.clientY - before.top) / before.height;
  scale = Math.min(most, Math.max(0.02, wanted));
  stage.classList.add('near');
  image.style.width = `${naturalWidth() * scale}px`;
  const after = image.getBoundingClientRect();
  stage.scrollBy({
    left: after.left + x * after.width - at.clientX,
    top: after.top + y * after.height - at.clientY,
    behavior: 'instant',
  });
  tell();
}

function middle(): { clientX: number; clientY: number } {
  const { left, top, width, height } = stage.getBoundingClientRect();
  return { clientX: left + width / 2, clientY: top + height / 2 };
}

const actions: Record<string, () => void> = {
  in: () => zoomTo(shownScale() * step),
  out: () => zoomTo(shownScale() / step),
  fit,
  full: () => zoomTo(1),
};
const keys: Record<string, string> = { '+': 'in', '=': 'in', '-': 'out', '0': 'fit', '1': 'full' };

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-zoom]')) {
  button.addEventListener('click', () => actions[button.dataset['zoom'] ?? '']?.());
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const action = actions[keys[event.key] ?? ''];
  if (action === undefined) return;
  event.preventDefault();
  action();
});

stage.addEventListener(
  'wheel',
  (event) => {
    event.preventDefault();
    zoomTo(shownScale() * Math.exp(-event.deltaY / 400), event);
  },
  { passive: false },
);

let grip: { x: number; y: number; moved: boolean } | undefined;

image.addEventListener('pointerdown', (event) => {
  // Fingers move and pinch by themselves.
  if (event.pointerType !== 'mouse' || event.button !== 0) return;
  grip = { x: event.clientX, y: event.clientY, moved: false };
  image.setPointerCapture(event.pointerId);
});

image.addEventListener('pointermove', (event) => {
  if (grip === undefined) return;
  const left = grip.x - event.clientX;
  const top = grip.y - event.clientY;
  if (!grip.moved && Math.hypot(left, top) < 4) return;
  stage.classList.add('held');
  stage.scrollBy({ left, top, behavior: 'instant' });
  grip = { x: event.clientX, y: event.clientY, moved: true };
});

image.addEventListener('click', (event) => {
  const wasMoved = grip?.moved === true;
  grip = undefined;
  stage.classList.remove('held');
  if (wasMoved) return;
  if (scale !== undefined) fit();
  else zoomTo(shownScale() < 0.95 ? 1 : shownScale() * 2, event);
});

function show(): void {
  unhide('.tools');
  tell();
}

function showError(): void {
  stage.hidden = true;
  unhide('#unshown');
}

let isTried = false;

/** The browser could not show it. It may tell so twice, by an event and to whoever waits for the picture. */
function fail(): void {
  if (stage.dataset['worker'] === undefined) return showError();
  if (isTried) return;
  isTried = true;
  stage.hidden = true;
  decode().catch(explain);
}

/** Decodes a picture that the browser cannot show, if we can. */
async function decode(): Promise<void> {
  const { showDecoded } = await import('./pictures/show-decoded.ts');
  await showDecoded(stage, image);
  stage.hidden = false;
  show();
}

function explain(error: unknown): void {
  if (error instanceof ViewerError) {
    element('#unshown p', HTMLElement).textContent = error.message;
  }
  showError();
}

/** Shows a drawing when it is known that it can be drawn. */
async function draw(drawing: string): Promise<void> {
  await checkDrawing(drawing);
  image.src = drawing;
}

new ResizeObserver(tell).observe(stage);
image.addEventListener('error', fail);

function follow(): void {
  if (!image.complete) image.addEventListener('load', show, { once: true });
  else if (image.naturalWidth > 0) show();
  // The error came before this script, or it is a drawing without a size of its own.
  else image.decode().then(show, fail);
}

const { drawing } = image.dataset;
if (drawing === undefined) follow();
else draw(drawing).then(follow, explain);
