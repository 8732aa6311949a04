import type { Embed } from '../../contract/operations/oembed.ts';
import type { ImageSize } from '../content/image-size.ts';
import { ascii } from '../page-edits/ascii.ts';

/** What is embedded. */
export interface Embedded {
  /** Of the page, absolute. */
  url: string;
  title: string;
  kind: 'page' | 'image' | 'video' | 'audio';
  /** The picture itself, where its size is known. */
  image?: (ImageSize & { url: string }) | undefined;
  maxWidth: number | undefined;
  maxHeight: number | undefined;
}

const usualSizes = {
  page: { width: 800, height: 600 },
  image: { width: 800, height: 600 },
  video: { width: 640, height: 360 },
  audio: { width: 640, height: 180 },
} as const satisfies Record<Embedded['kind'], ImageSize>;

/** An iframe's page keeps its own origin, which is not that of whoever embeds it; it may not navigate the page around it. */
const sandbox =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads';

/** The part of an oEmbed answer that is about the embedded page, no larger than is allowed. Pure. */
export function describeEmbed(embedded: Embedded): Omit<Embed, 'provider_name' | 'provider_url'> {
  const { title, kind, image } = embedded;
  const shared = { version: '1.0' as const, title, cache_age: 300 };
  if (image !== undefined) {
    return { ...shared, type: 'photo', url: image.url, ...scaled(image, embedded) };
  }
  const usual = usualSizes[kind];
  // A film keeps its shape; a page fits itself into what it gets.
  const size = kind === 'video' ? scaled(usual, embedded) : cut(usual, embedded);
  return {
    ...shared,
    type: kind === 'video' ? 'video' : 'rich',
    ...size,
    html: frame(embedded, size),
  };
}

type Bounds = Pick<Embedded, 'maxWidth' | 'maxHeight'>;

function scaled({ width, height }: ImageSize, { maxWidth, maxHeight }: Bounds): ImageSize {
  const factor = Math.min(1, (maxWidth ?? width) / width, (maxHeight ?? height) / height);
  const pixels = (length: number) => Math.max(1, Math.floor(length * factor));
  return { width: pixels(width), height: pixels(height) };
}

function cut({ width, height }: ImageSize, { maxWidth, maxHeight }: Bounds): ImageSize {
  return {
    width: Math.min(width, maxWidth ?? width),
    height: Math.min(height, maxHeight ?? height),
  };
}

function frame({ url, title }: Embedded, { width, height }: ImageSize): string {
  return `<iframe src="${ascii(url)}" width="${width}" height="${height}" title="${ascii(title)}" sandbox="${sandbox}" allow="fullscreen" loading="lazy" style="border:0"></iframe>`;
}
