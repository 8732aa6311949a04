import { maxZipBytes } from '../../contract/limits.ts';
import { zipStream } from '../../core/content/zip/write-archive.ts';
import { CodedError } from '../../core/errors.ts';
import { countByAddress } from '../../core/limits/address-limits.ts';
import type { Counters } from '../../core/limits/counters.ts';
import { attachmentDisposition } from '../../core/content/content-disposition.ts';
import {
  decideZip,
  type ZipDecision,
  zipEntries,
  type ZipFile,
} from '../../core/visit/decide-zip.ts';
import { filePlace } from '../../core/visit/file-place.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { type LoadSiteDeps, loadSite } from '../../core/visit/load-site.ts';
import { zipContents } from '../../core/visit/zip-contents.ts';
import { errorPage } from '../../web/pages/visitor/refusal-pages.ts';
import { notFoundPage } from '../../web/pages/visitor/refusal-pages.ts';
import { withoutReports } from './former-tenant-response.ts';
import { refusalPage } from './refusal-page.ts';
import {
  redirectToNewOpen,
  redirectToPreviewEnd,
  refusalResponse,
  type VisitResponse,
} from './response-parts.ts';
import type { EdgeRequest } from './edge-request.ts';
import { type StreamedResponse, takeStreamPlace, untilRead } from './stream-response.ts';
import { withRetryAfter } from '../http/with-headers.ts';

/** The dependencies of a ZIP download. */
export interface ZipDeps extends LoadSiteDeps {
  brand: string;
  counters: Pick<Counters, 'count'>;
}

/** Downloads of all projects count together, also those by owners, because one transfers up to 190 MB. */
const downloadRate = { limit: 10, windowSeconds: 60 };
/** A new AWS account runs ten functions at once; a browser loads one ZIP after the other. */
const zipsAtOnce = 3;

/** The files of a project, or of one folder, for visitors who may see its pages. */
export async function zipResponse(
  deps: ZipDeps,
  request: EdgeRequest,
  now: Date,
): Promise<StreamedResponse> {
  const { site, files, refusal } = await loadSite(deps, request, now);
  if (refusal?.kind === 'preview-ended') return redirectToPreviewEnd();
  if (refusal?.kind === 'new-open') return redirectToNewOpen(request);
  if (refusal !== undefined) {
    const at = { brand: deps.brand, domainId: request.domainId };
    const { status, page } = refusalPage(at, refusal, request.path);
    return withoutReports(refusalResponse(status, page), { site, decision: refusal }, now);
  }
  const zip = decideZip(site, files, request.path);
  if (zip.kind !== 'zip') return noZip(deps.brand, zip);
  const head = { status: 200, headers: zipHeaders(zip.fileName) };
  if (request.method === 'HEAD') return head;
  const tooMany = await countDownload(deps, request, now);
  if (tooMany !== undefined) return tooMany;
  const end = await takeStreamPlace(deps.counters, request.address, zipsAtOnce, now);
  if (end === undefined) return tooManyDownloads(deps.brand, runningText, waitSeconds);
  return { ...head, site, bytes: untilRead(zipBytes(deps, site, zipEntries(zip.files)), end) };
}

type Zip = Extract<ZipDecision, { kind: 'zip' }>;

/** The head of a ZIP that is written while it is sent. */
export function zipHeaders(fileName: string): Record<string, string> {
  return {
    'content-type': 'application/zip',
    'content-disposition': attachmentDisposition(fileName),
    'cache-control': 'private, no-store',
    'accept-ranges': 'none',
    'x-robots-tag': 'noindex',
  };
}

/** A ZIP of files of a version, under their names in it. */
export function zipBytes(
  deps: Pick<ZipDeps, 'content'>,
  site: ServingRecord,
  files: readonly ZipFile[],
): AsyncGenerator<Uint8Array> {
  const stored = files.map(({ path, source, entry }) => ({
    path,
    ...filePlace(site, source, entry),
  }));
  const contents = zipContents(stored, (key, range) => deps.content.get(key, range));
  return zipStream(contents, new Date(site.publishedAt));
}

function noZip(brand: string, zip: Exclude<ZipDecision, Zip>): VisitResponse {
  if (zip.kind === 'missing') return refusalResponse(404, notFoundPage({ brand, kind: 'file' }));
  const status = zip.kind === 'disabled' ? 403 : 413;
  const texts = zip.kind === 'disabled' ? disabled : tooLarge(zip.bytes);
  return refusalResponse(status, errorPage({ brand, status, ...texts }));
}

const disabled = {
  title: 'Downloads are turned off',
  text: 'The owner of these files has turned off downloads. You can still view each file.',
};

function tooLarge(bytes: number) {
  const [total, limit] = [bytes, maxZipBytes].map((size) => `${Math.ceil(size / 1_000_000)} MB`);
  return {
    title: 'Too large for one ZIP',
    text: `These files have ${total} in total. A ZIP can have up to ${limit}. Go back, and download one folder at a time or the large files one by one.`,
  };
}

/** Counts a ZIP for the address that loads it; the page for too many, if these are. */
export async function countDownload(
  { brand, counters }: Pick<ZipDeps, 'brand' | 'counters'>,
  { address, requestId }: EdgeRequest,
  now: Date,
): Promise<VisitResponse | undefined> {
  const counted = { name: 'zips', rule: downloadRate, what: 'ZIP downloads' };
  try {
    await countByAddress(counters, { address, requestId }, counted, now);
    return undefined;
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'RATE_LIMITED') throw error;
    return tooManyDownloads(brand, error.message, Number(error.body['retryAfterSeconds']));
  }
}

/** By then one of several downloads may have ended. */
const waitSeconds = 30;
const runningText = 'Several downloads from your network are still running.';

function tooManyDownloads(brand: string, text: string, seconds: number): VisitResponse {
  const response = refusalResponse(
    429,
    errorPage({
      brand,
      status: 429,
      title: 'Too many downloads',
      text: `${text} Wait ${seconds} seconds, then try again.`,
    }),
  );
  return withRetryAfter(response, seconds);
}
