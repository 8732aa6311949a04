import { contentKey } from '../../core/content/content-keys.ts';
import { zipStream } from '../../core/content/zip/write-archive.ts';
import { CodedError } from '../../core/errors.ts';
import { callerKey } from '../../core/limits/caller-key.ts';
import { type Counters, countAttempt } from '../../core/limits/counters.ts';
import { attachmentAs } from '../../core/projects/publishing/store-files.ts';
import { decideZip, maxZipBytes, type ZipDecision } from '../../core/visit/decide-zip.ts';
import { placeIn } from '../../core/visit/manifest.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { type SiteDeps, visitSite } from '../../core/visit/visit-site.ts';
import { zipContents } from '../../core/visit/zip-contents.ts';
import { errorPage } from '../../web/pages/visitor/error-page.ts';
import { notFoundPage } from '../../web/pages/visitor/not-found-page.ts';
import { refusalPage } from './refusal-page.ts';
import { previewEnded, refusal, type VisitAnswer } from './visit-answer.ts';
import type { VisitRequest } from './visit-request.ts';

/** What answering with a ZIP needs. */
export interface ZipDeps extends SiteDeps {
  brand: string;
  counters: Pick<Counters, 'count'>;
}

/** A page that says why there is no ZIP, or a ZIP that is made while it is read. */
export interface ZipAnswer extends Pick<VisitAnswer, 'status' | 'headers' | 'text'> {
  bytes?: AsyncGenerator<Uint8Array>;
}

/** Each is worth up to 190 MB of transfer, and a function's time for as long as it takes. */
const perVisitor = { limit: 10, windowSeconds: 60 };

/** Gives the files of a site, or of one folder, to whom its pages are given. */
export async function answerZip(
  deps: ZipDeps,
  request: VisitRequest,
  now: Date,
): Promise<ZipAnswer> {
  // The front page decides for all: who gets nothing of it gets no file either.
  const frontPage = { ...request, path: '/', query: '', conditions: {} };
  const outcome = await visitSite(deps, request.host, frontPage, now);
  const { site, files, decision } = outcome;
  if (decision.kind === 'preview-ended') return previewEnded();
  if (site === undefined || files === undefined) {
    const { status, page } = refusalPage(deps.brand, decision, request.path);
    return refusal(status, page);
  }
  const zip = decideZip(site, files, request.path);
  if (zip.kind !== 'zip') return noZip(deps.brand, zip);
  const answer = { status: 200, headers: headersOf(zip.fileName) };
  if (request.method === 'HEAD') return answer;
  const refused = await count(deps, request, site, now);
  return refused ?? { ...answer, bytes: bytesOf(deps, site, zip) };
}

type Zip = Extract<ZipDecision, { kind: 'zip' }>;

function headersOf(fileName: string): Record<string, string> {
  return {
    'content-type': 'application/zip',
    'content-disposition': attachmentAs(fileName),
    'cache-control': 'private, no-store',
    'accept-ranges': 'none',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  };
}

function bytesOf(deps: ZipDeps, site: ServingRecord, { files }: Zip): AsyncGenerator<Uint8Array> {
  const stored = files.map(({ path, source, entry }) => ({
    path,
    key: contentKey(site.projectId, placeIn(site.store, source, entry)),
    size: entry.size,
  }));
  const contents = zipContents(stored, (key, range) => deps.content.get(key, range));
  return zipStream(contents, new Date(site.publishedAt));
}

function noZip(brand: string, zip: Exclude<ZipDecision, Zip>): VisitAnswer {
  if (zip.kind === 'missing') return refusal(404, notFoundPage({ brand, kind: 'file' }));
  const status = zip.kind === 'disabled' ? 403 : 413;
  const words = zip.kind === 'disabled' ? disabled : tooLarge(zip.bytes);
  return refusal(status, errorPage({ brand, status, ...words }));
}

const disabled = {
  title: 'Downloads are switched off',
  text: 'The owner of these files lets visitors look at them, but not download them together.',
};

function tooLarge(bytes: number) {
  const [whole, most] = [bytes, maxZipBytes].map((one) => `${Math.ceil(one / 1_000_000)} MB`);
  return {
    title: 'Too much for one ZIP',
    text: `These files are ${whole}; a ZIP holds up to ${most}. Go back and download a folder at a time, or the large files one by one.`,
  };
}

async function count(
  { brand, counters }: ZipDeps,
  { address, requestId }: VisitRequest,
  { projectId }: ServingRecord,
  now: Date,
): Promise<VisitAnswer | undefined> {
  const key = `zips#${projectId}#${callerKey(address)}`;
  const counted = { key, rule: perVisitor, what: 'ZIP downloads of these files' };
  try {
    await countAttempt(counters, { address, requestId }, counted, now);
    return undefined;
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'RATE_LIMITED') throw error;
    return tooMany(brand, error);
  }
}

function tooMany(brand: string, error: CodedError): VisitAnswer {
  const seconds = String(error.body['retryAfterSeconds']);
  const answer = refusal(
    429,
    errorPage({
      brand,
      status: 429,
      title: 'That was a lot of downloads',
      text: `${error.message} Wait ${seconds} seconds, then try again.`,
    }),
  );
  return { ...answer, headers: { ...answer.headers, 'retry-after': seconds } };
}
