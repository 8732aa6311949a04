import type { Embed } from '../../contract/operations/oembed.ts';
import type { Caller } from '../caller.ts';
import { contentKey } from '../content/content-keys.ts';
import { imageHeadBytes, type ImageSize, imageSize } from '../content/image-size.ts';
import { CodedError } from '../errors.ts';
import { callerKey } from '../limits/caller-key.ts';
import { countAttempt, type Counters } from '../limits/counters.ts';
import type { ContentStore, SiteDirectory } from '../ports.ts';
import type { Addresses } from '../projects/addresses/addresses.ts';
import { refuseVisit } from '../visit/decide-visit.ts';
import { type Manifest, placeIn } from '../visit/manifest.ts';
import { toUrlPath } from '../visit/protocol/request-path.ts';
import type { ServingRecord } from '../visit/serving-record.ts';
import { manifestOf } from '../visit/visit-site.ts';
import { describeEmbed } from './describe-embed.ts';
import { embeddedFile } from './embedded-file.ts';

/** What telling how an address is embedded needs. */
export interface EmbedDeps {
  sites: SiteDirectory;
  content: Pick<ContentStore, 'get'>;
  manifests: Map<string, Manifest>;
  counters: Pick<Counters, 'count'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  brand: string;
  baseUrl: string;
  now(): Date;
}

/** One address, and how large it may become. */
export interface EmbedInput {
  url: string;
  format: string;
  maxwidth?: number | undefined;
  maxheight?: number | undefined;
}

/** Programs that embed for many people share an address. */
const rule = { limit: 120, windowSeconds: 60 };

/**
 * How an address of a public project is embedded in other pages (oembed.com, version 1.0). Nothing
 * is told of a project that not everybody may see, but that it is protected, which its page tells too.
 * @throws CodedError FORMAT_NOT_OFFERED, NOT_FOUND, NOT_PUBLIC, RATE_LIMITED
 */
export async function getEmbed(
  deps: EmbedDeps,
  caller: Caller,
  { url, format, maxwidth, maxheight }: EmbedInput,
): Promise<Embed> {
  const counted = { key: `embeds#${callerKey(caller.address)}`, rule, what: 'requests' };
  await countAttempt(deps.counters, caller, counted, deps.now());
  if (format !== 'json') {
    throw new CodedError('FORMAT_NOT_OFFERED', { error: 'Only JSON is offered.' });
  }
  const address = readAddress(url);
  const site = await visibleSite(deps, address.hostname);
  const files = await manifestOf(deps, site);
  if (files === undefined) throw nothing();
  const origin = deps.addresses.siteUrl(site.host);
  const { pathname: path, search, hash } = address;
  const shown = embeddedFile(site, files, path);
  if (shown === 'missing') throw nothing();
  const size = shown?.kind === 'image' ? await sizeOf(deps, site, files, shown.path) : undefined;
  return {
    ...describeEmbed({
      url: origin + path + search + hash,
      title: site.pageTitle ?? site.title,
      kind: shown?.kind ?? 'page',
      image: size && shown ? { url: origin + toUrlPath(shown.path), ...size } : undefined,
      maxWidth: maxwidth,
      maxHeight: maxheight,
    }),
    provider_name: deps.brand,
    provider_url: deps.baseUrl,
  };
}

function readAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '') throw nothing();
  return url;
}

async function visibleSite(deps: EmbedDeps, host: string): Promise<ServingRecord> {
  const site = await deps.sites.get(host);
  const refusal = refuseVisit(site, 'nobody', deps.now());
  if (refusal?.kind === 'locked') {
    throw new CodedError('NOT_PUBLIC', { error: 'Not everybody may see this address.' });
  }
  if (site === undefined || refusal !== undefined) throw nothing();
  return site;
}

async function sizeOf(
  deps: EmbedDeps,
  site: ServingRecord,
  files: Manifest,
  path: string,
): Promise<ImageSize | undefined> {
  const entry = files.get(path);
  if (entry === undefined || entry.size === 0) return undefined;
  const key = contentKey(site.projectId, placeIn(site.store, path, entry));
  const last = Math.min(entry.size, imageHeadBytes) - 1;
  const head = await deps.content.get(key, { first: 0, last });
  return head && imageSize(head);
}

function nothing(): CodedError {
  return new CodedError('NOT_FOUND', {
    error: 'Nothing is published at this address.',
    nextStep: 'Send as `url` the whole address of a published page, as its owner shares it.',
  });
}
