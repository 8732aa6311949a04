import type { Embed } from '../../contract/operations/sharing.ts';
import type { ImageSize } from '../content/image-size.ts';
import { escapeToAscii } from '../page-edits/ascii.ts';

/** The page or file to embed. */
export interface EmbedSubject {
  /** The page's absolute URL. */
  url: string;
  title: string;
  kind: 'page' | 'image' | 'video' | 'audio';
  /** The image itself, where its size is known. */
  image?: (ImageSize & { url: string }) | undefined;
  maxWidth: number | undefined;
  maxHeight: number | undefined;
}

const defaultSizes = {
  page: { width: 800, height: 600 },
  image: { width: 800, height: 600 },
  video: { width: 640, height: 360 },
  audio: { width: 640, height: 180 },
} as const satisfies Record<EmbedSubject['kind'], ImageSize>;

/** The framed page keeps its own origin, which differs from the embedding page's; it must not navigate that page. */
const sandbox =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads';

/** The part of an oEmbed response that describes the embedded page, within the requested maximum size. Pure. */
export function describeEmbed(
  embedded: EmbedSubject,
): Omit<Embed, 'provider_name' | 'provider_url'> {
  const { title, kind, image } = embedded;
  const shared = { version: '1.0' as const, title, cache_age: 300 };
  if (image !== undefined) {
    return { ...shared, type: 'photo', url: image.url, ...scaleToBounds(image, embedded) };
  }
  const standard = defaultSizes[kind];
  // A video keeps its aspect ratio; a page adapts to its frame.
  const size =
    kind === 'video' ? scaleToBounds(standard, embedded) : clipToBounds(standard, embedded);
  return {
    ...shared,
    type: kind === 'video' ? 'video' : 'rich',
    ...size,
    html: iframe(embedded, size),
  };
}

type Bounds = Pick<EmbedSubject, 'maxWidth' | 'maxHeight'>;

function scaleToBounds({ width, height }: ImageSize, { maxWidth, maxHeight }: Bounds): ImageSize {
  const factor = Math.min(1, (maxWidth ?? width) / width, (maxHeight ?? height) / height);
  const pixels = (length: number) => Math.max(1, Math.floor(length * factor));
  return { width: pixels(width), height: pixels(height) };
}

function clipToBounds({ width, height }: ImageSize, { maxWidth, maxHeight }: Bounds): ImageSize {
  return {
    width: Math.min(width, maxWidth ?? width),
    height: Math.min(height, maxHeight ?? height),
  };
}

function iframe({ url, title }: EmbedSubject, { width, height }: ImageSize): string {
  return `<iframe src="${escapeToAscii(url)}" width="${width}" height="${height}" title="${escapeToAscii(title)}" sandbox="${sandbox}" allow="fullscreen" loading="lazy" style="border:0"></iframe>`;
}
