import type { Decision, ServedFile } from '../../core/visit/decide-visit.ts';
import { isTextFile } from '../../core/content/text-file.ts';
import type { Manifest } from '../../core/visit/manifest.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { markupRevision } from '../../core/visit/text-markup.ts';
import { mediaLink, type Outcome, type VisitDeps } from '../../core/visit/visit-site.ts';
import type { Page } from '../../web/pages/parts/page.ts';
import { fileAnswer, notFoundFile } from './file-answer.ts';
import { folderPage } from './folder-page.ts';
import { clearing, workerAnswer } from './former-tenant-answer.ts';
import { pageStamp } from './page-stamp.ts';
import { isRefusal, refusalPage } from './refusal-page.ts';
import type { ViewerDeps } from './single-file-page.ts';
import {
  forOne,
  forPreview,
  type LatePage,
  preconditionFailed,
  previewEnded,
  projectPage,
  redirect,
  refusal,
  toMedia,
  toViewer,
  unsatisfiable,
  type VisitAnswer,
} from './visit-answer.ts';
import { visitParts } from './visit-parts.ts';
import type { VisitRequest } from './visit-request.ts';

/** What answering needs besides the outcome. */
export interface AnswerDeps
  extends Pick<VisitDeps, 'mediaLinks' | 'heads' | 'accessSecret'>,
    ViewerDeps {
  /** Of what makes pages. */
  build: string;
}

/** Turns the outcome of a visit into status, headers and body. */
export async function answerVisit(
  deps: AnswerDeps,
  request: VisitRequest,
  outcome: Outcome,
  now: Date,
): Promise<VisitAnswer> {
  // A browser that is to be cleared needs the page itself.
  const asked = outcome.clears === true ? { ...request, conditions: {} } : request;
  const answer = await answerOutcome(deps, asked, outcome, now);
  const kept = asKept(deps, request, outcome, answer);
  if (request.isWorkerScript) return workerAnswer(deps, request, { outcome, answer: kept }, now);
  return outcome.clears === true ? clearing(kept) : kept;
}

/** The same answer, kept by nobody where not everybody would get it. */
function asKept(
  deps: AnswerDeps,
  request: VisitRequest,
  { preview, site }: Outcome,
  answer: VisitAnswer,
): VisitAnswer {
  if (preview === true) return forPreview(answer);
  return site?.access === 'public' ? embeddable(deps, request, site, answer) : forOne(answer);
}

const maxLinkLength = 2048;

/**
 * Tells where the oEmbed answer of a page is (oEmbed §4); in a header, so that the page stays as it
 * is. A site's own `Link` stays as it is too.
 */
function embeddable(
  { heads }: AnswerDeps,
  { path }: VisitRequest,
  { host }: ServingRecord,
  answer: VisitAnswer,
): VisitAnswer {
  const isPage = answer.headers['content-type']?.startsWith('text/html') === true;
  if (answer.status !== 200 || !isPage || answer.headers['link'] !== undefined) return answer;
  const url = heads.oEmbedUrl(heads.siteUrl(host) + path);
  // It takes no longer one, and all fields of an answer have 20,480 bytes (CloudFront quota).
  if (url.length > maxLinkLength) return answer;
  const link = `<${url}>; rel="alternate"; type="application/json+oembed"`;
  return { ...answer, headers: { ...answer.headers, link } };
}

async function answerOutcome(
  deps: AnswerDeps,
  request: VisitRequest,
  outcome: Outcome,
  now: Date,
): Promise<VisitAnswer> {
  const { site, decision } = outcome;
  if (site === undefined || isRefusal(decision)) {
    const { status, page } = refusalPage(deps.brand, decision, request.path);
    return refusal(status, page);
  }
  if (isOfFile(decision)) return answerFile(site, decision, now);
  switch (decision.kind) {
    case 'redirect':
      return redirect(site, decision);
    case 'preview-ended':
      return previewEnded();
    case 'to-viewer':
      return toViewer(site);
    case 'media':
      return largeFile(deps, request, { site, file: decision.file }, now);
    case 'listing':
    case 'offer':
      return projectPage(site, latePage(deps, request, outcome, decision), request);
  }
}

type OfFile = Extract<
  Decision,
  { kind: 'file' | 'not-modified' | 'not-found-page' | 'precondition-failed' | 'unsatisfiable' }
>;

const ofFile = ['file', 'not-modified', 'not-found-page', 'precondition-failed', 'unsatisfiable'];

function isOfFile(decision: Decision): decision is OfFile {
  return ofFile.includes(decision.kind);
}

function answerFile(site: ServingRecord, decision: OfFile, now: Date): VisitAnswer {
  switch (decision.kind) {
    case 'file':
    case 'not-modified':
      return fileAnswer(site, decision, now);
    case 'not-found-page':
      return notFoundFile(site, decision.file, now);
    case 'precondition-failed':
      return preconditionFailed(site);
    case 'unsatisfiable':
      return unsatisfiable(site, decision.size);
  }
}

/** A link, but for HEAD: its headers need none. */
async function largeFile(
  deps: AnswerDeps,
  { method }: VisitRequest,
  { site, file }: { site: ServingRecord; file: ServedFile },
  now: Date,
): Promise<VisitAnswer> {
  if (method === 'HEAD') return fileAnswer(site, { kind: 'file', file }, now);
  return toMedia(site, await mediaLink(deps, site, file, now));
}

function latePage(
  deps: AnswerDeps,
  { path }: VisitRequest,
  { site, files = new Map(), preview = false }: Extract<Outcome, { site: ServingRecord }>,
  decision: Extract<Decision, { kind: 'listing' | 'offer' }>,
): LatePage {
  const { brand, build, heads } = deps;
  return {
    stamp: pageStamp(
      { brand, build, appUrl: heads.oEmbedUrl('') },
      { site, path, preview },
      decision,
    ),
    isExact: decision.kind === 'listing' || isMadeOnce(site, decision.path),
    async render() {
      const page = await pageOf(deps, site, { files }, decision);
      return page.with(visitParts(brand, heads, { site, files, path, preview }));
    },
  };
}

/** A text without kept markup is made at each view, and shown plainer where that takes too long. */
function isMadeOnce(site: ServingRecord, path: string): boolean {
  return site.markupRevision === markupRevision || !isTextFile(site.type, path);
}

async function pageOf(
  deps: AnswerDeps,
  site: ServingRecord,
  { files = new Map() }: { files?: Manifest },
  decision: Extract<Decision, { kind: 'listing' | 'offer' }>,
): Promise<Page> {
  if (decision.kind === 'listing') return folderPage(deps, site, files, decision.folder);
  // Most visits are of sites, which need no page of ours.
  const { singleFilePage } = await import('./single-file-page.ts');
  return singleFilePage(deps, site, decision);
}
