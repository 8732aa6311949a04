import type * as z from 'zod';
import type * as contract from '../../contract/operations/sharing.ts';
import type { Embed } from '../../contract/operations/sharing.ts';
import type { Caller } from '../caller.ts';
import { imageHeadBytes, type ImageSize, imageSize } from '../content/image-size.ts';
import { CodedError } from '../errors.ts';
import { countByAddress } from '../limits/address-limits.ts';
import type { Counters } from '../limits/counters.ts';
import type { ContentStore, SiteDirectory } from '../ports.ts';
import type { Addresses } from '../projects/addresses/addresses.ts';
import { decideVisit } from '../visit/decide-visit.ts';
import { refuseVisit } from '../visit/refuse-visit.ts';
import { filePlace, readFilePlace } from '../visit/file-place.ts';
import { type ContentMemory, loadContent, type Manifest } from '../visit/manifest.ts';
import { toUrlPath } from '../visit/protocol/request-path.ts';
import { type DomainRoots, findSiteByHost } from '../visit/find-site.ts';
import type { ServingRecord } from '../visit/serving-record.ts';
import { describeEmbed } from './describe-embed.ts';
import { mediaType } from '../content/media-type.ts';

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
