import type * as z from 'zod';
import type * as contract from '../../contract/operations/sharing.ts';
import type { Embed } from '../../contract/operations/sharing.ts';
import type { Caller } from '../caller.ts';
import { type ImageSize, imageHeadBytes, imageSize } from '../content/image-size.ts';
import { CodedError } from '../errors.ts';
import { countByAddress } from '../limits/address-limits.ts';
import type { Counters } from '../limits/counters.ts';
import type { ContentStore, SiteDirectory } from '../ports.ts';
import type { Addresses } from '../projects/addresses/addresses.ts';
import { decideVisit } from '../visit/decide-visit.ts';
import { refuseVisit } from '../visit/refuse-visit.ts';
import { filePlace, readFilePlace } from '../visit/file-place.ts';
import { type ContentMemory, type Manifest, loadContent } from '../visit/manifest.ts';
import { toUrlPath } from '../visit/protocol/request-path.ts';
import { type DomainRoots, findSiteByHost } from '../visit/find-site.ts';
import type { ServingRecord } from '../visit/serving-record.ts';
import { mediaType } from '../content/media-type.ts';
import { escapeToAscii } from '../page-edits/ascii.ts';

/** The dependencies of `getEmbed`. */
export interface EmbedDeps {
  sites: SiteDirectory;
  roots: DomainRoots;
  content: Pick<ContentStore, 'get'>;
  contents: ContentMemory;
  counters: Pick<Counters, 'count'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  brand: string;
  baseUrl: string;
  now(): Date;
}

/** An address, and the maximum size of its embed in pixels. */
export type EmbedInput = z.output<typeof contract.getEmbed.input>;

/** A platform embeds links for many people from one IP address. */
const embedRate = { limit: 120, windowSeconds: 60 };

/**
 * How an address of a public project is embedded in other pages (oembed.com, version 1.0). About a
 * protected project the response says only that it is protected, which its page says too.
 * @throws CodedError FORMAT_NOT_OFFERED, NOT_FOUND, NOT_PUBLIC, RATE_LIMITED
 */
export async function getEmbed(
  deps: EmbedDeps,
  caller: Caller,
  { url, format, maxwidth, maxheight }: EmbedInput,
): Promise<Embed> {
  const counted = { name: 'embeds', rule: embedRate, what: 'requests' };
  await countByAddress(deps.counters, caller, counted, deps.now());
  if (format !== 'json') {
    throw new CodedError('FORMAT_NOT_OFFERED', { error: 'The only supported format is JSON.' });
  }
  const address = readAddress(url);
  const record = await visibleSite(deps, address.hostname);
  const content = await loadContent(deps, record);
  if (content === undefined) throw nothingPublished();
  const { files, rules } = content;
  const site = rules === undefined ? record : { ...record, rules };
  const origin = deps.addresses.siteUrl(site.host);
  const { pathname: path, search, hash } = address;
  const media = findMediaFile(site, files, path);
  if (media === 'missing') throw nothingPublished();
  const size =
    media?.kind === 'image' ? await readImageSize(deps, site, files, media.path) : undefined;
  return {
    ...describeEmbed({
      url: origin + path + search + hash,
      title: site.pageTitle ?? site.title,
      kind: media?.kind ?? 'page',
      image: size && media ? { url: origin + toUrlPath(media.path), ...size } : undefined,
      maxWidth: maxwidth,
      maxHeight: maxheight,
    }),
    provider_name: deps.brand,
    provider_url: deps.baseUrl,
  };
}

function readAddress(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw nothingPublished();
  return url;
}

async function visibleSite(deps: EmbedDeps, host: string): Promise<ServingRecord> {
  const found = await findSiteByHost(deps, host);
  // The hosts of versions and previews are not embedded: versions are only for people with a link.
  const site = found?.shows === undefined ? found : undefined;
  const refusal = refuseVisit(site, 'stranger', deps.now());
  if (refusal?.kind === 'locked') {
    throw new CodedError('NOT_PUBLIC', { error: 'This page is not public.' });
  }
  if (site === undefined || refusal !== undefined) throw nothingPublished();
  return site;
}

async function readImageSize(
  deps: EmbedDeps,
  site: ServingRecord,
  files: Manifest,
  path: string,
): Promise<ImageSize | undefined> {
  const entry = files.get(path);
  if (entry === undefined || entry.size === 0) return undefined;
  const last = Math.min(entry.size, imageHeadBytes) - 1;
  const head = await readFilePlace(deps.content, filePlace(site, path, entry), { first: 0, last });
  return head && imageSize(head);
}

function nothingPublished(): CodedError {
  return new CodedError('NOT_FOUND', {
    error: 'Nothing is published at this address.',
    nextStep: 'Send the complete address of a published page as `url`.',
  });
}

/** A file that is embedded as media instead of as a page. */
interface MediaFile {
  path: string;
  kind: 'image' | 'video' | 'audio';
}

/**
 * The image, video or audio file at an address of a site; `undefined` where it is a page, `missing`
 * where there is nothing.
 */
function findMediaFile(
  site: ServingRecord,
  files: Manifest,
  path: string,
): MediaFile | 'missing' | undefined {
  const decision = decideVisit(site, files, {
    path,
    query: '',
    accept: 'text/html',
    acceptEncoding: '',
    conditions: {},
    fetch: { mode: 'navigate', dest: 'iframe', site: 'cross-site', purpose: '' },
    isPageView: true,
  });
  if (decision.kind === 'missing' || decision.kind === 'not-found-page') return 'missing';
  const file = 'file' in decision ? decision.file.path : 'path' in decision ? decision.path : '';
  const [kind] = mediaType(file).split('/');
  return kind === 'image' || kind === 'video' || kind === 'audio'
    ? { path: file, kind }
    : undefined;
}

interface EmbedSubject {
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
function describeEmbed(embedded: EmbedSubject): Omit<Embed, 'provider_name' | 'provider_url'> {
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
