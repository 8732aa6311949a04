import { homePage, linesOfPage } from './page-title.ts';
import type { Picked, PickedFile } from './picked.ts';
import { thumbnailKey } from './upload-state.ts';

/** Pixels; the list shows half of it, so that it is sharp on fine screens. */
const size = { width: 160, height: 120 };
/** Characters of the stored picture. Its place in the browser has some five million for all projects. */
const mostCharacters = 16_000;
const readBytes = 64 * 1024;
/** A browser needs many times the bytes of a picture to draw it. */
const mostPictureBytes = 30_000_000;

const picture = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico)$/i;
const page = /\.html?$/i;
const text =
  /\.(?:md|markdown|txt|csv|tsv|json|ya?ml|sql|py|[cm]?[jt]sx?|css|xml|toml|log|sh|ics)$/i;

/**
 * Draws what was published small, and keeps it in this browser: the picture, or the first lines of the page or text
 * that opens first. Nothing is loaded for it, so anything else has none.
 */
export async function keepThumbnail(
  { files }: Picked,
  {
    projectId,
    draft,
    home,
  }: { projectId: string; draft?: number | undefined; home?: string | undefined },
  isCancelled: () => boolean,
): Promise<void> {
  const isDrawn = ({ path, file }: PickedFile) =>
    picture.test(path) && file.size < mostPictureBytes;
  const shown = homePage(files, home) ?? files.find(isDrawn) ?? files[0];
  const drawn = shown && (await draw(shown).catch(() => undefined));
  // Its account may have signed out meanwhile.
  if (isCancelled()) return;
  const key = thumbnailKey(projectId, draft);
  if (drawn === undefined || drawn.length > mostCharacters) localStorage.removeItem(key);
  else store(key, drawn);
}

/** Another version became live: the draft that this browser drew, or one without a picture. */
export function replaceThumbnail(projectId: string, draft: number): void {
  const ofDraft = thumbnailKey(projectId, draft);
  const drawn = localStorage.getItem(ofDraft);
  localStorage.removeItem(ofDraft);
  localStorage.removeItem(thumbnailKey(projectId));
  if (drawn !== null) store(thumbnailKey(projectId), drawn);
}

/** Where the browser has no more room, half of the others go. */
function store(key: string, drawn: string): void {
  try {
    localStorage.setItem(key, drawn);
  } catch {
    const others = Object.keys(localStorage);
    for (const one of others.slice(0, Math.ceil(others.length / 2))) localStorage.removeItem(one);
  }
}

async function draw(shown: PickedFile): Promise<string | undefined> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, size);
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, size.width, size.height);
  if (picture.test(shown.path)) await drawPicture(context, shown.file);
  else if (page.test(shown.path) || text.test(shown.path)) await drawLines(context, shown);
  else return undefined;
  return canvas.toDataURL('image/jpeg', 0.8);
}

/** Fills the whole canvas, like `object-fit: cover`. */
async function drawPicture(context: CanvasRenderingContext2D, file: File): Promise<void> {
  const image = new Image();
  // A file from the disk may have a type that no picture has.
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    const { naturalWidth, naturalHeight } = image;
    const scale = Math.max(size.width / naturalWidth, size.height / naturalHeight);
    const [width, height] = [naturalWidth * scale, naturalHeight * scale];
    context.drawImage(image, (size.width - width) / 2, (size.height - height) / 2, width, height);
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

async function drawLines(
  context: CanvasRenderingContext2D,
  { path, file }: PickedFile,
): Promise<void> {
  const read = await file.slice(0, readBytes).text();
  const lines = page.test(path) ? linesOfPage(read) : read.split('\n');
  context.fillStyle = '#1b2733';
  context.font = 'bold 13px system-ui, sans-serif';
  let y = 22;
  for (const line of lines
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .slice(0, 8)) {
    context.fillText(line.slice(0, 60), 12, y);
    context.font = '11px system-ui, sans-serif';
    y += 14;
  }
}
