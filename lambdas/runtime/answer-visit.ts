import { detectType } from '../../core/content/detect-type.ts';
import type { Decision, ServedFile } from '../../core/visit/decide-visit.ts';
import type { Manifest } from '../../core/visit/manifest.ts';
import { listFolder } from '../../core/visit/list-folder.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { mediaLink, type Outcome, type VisitDeps } from '../../core/visit/visit-site.ts';
import { listingPage } from '../../web/pages/listing-page.ts';
import type { Page } from '../../web/pages/page.ts';
import { isRefusal, refusalPage } from './refusal-page.ts';
import type { ViewerDeps } from './single-file-page.ts';
import {
  fileAnswer,
  forOne,
  forPreview,
  notFoundFile,
  preconditionFailed,
  previewEnded,
  projectPage,
  redirect,
  refusal,
  toMedia,
  unsatisfiable,
  type VisitAnswer,
} from './visit-answer.ts';
import type { VisitRequest } from './visit-request.ts';

/** What answering needs besides the outcome. */
export type AnswerDeps = Pick<VisitDeps, 'mediaLinks'> & ViewerDeps;

/** Turns the outcome of a visit into status, headers and body. */
export async function answerVisit(
  deps: AnswerDeps,
  request: VisitRequest,
  outcome: Outcome,
  now: Date,
): Promise<VisitAnswer> {
  const answer = await answerOutcome(deps, request, outcome, now);
  if (outcome.preview === true) return forPreview(answer);
  return outcome.site?.access === 'public' ? answer : forOne(answer);
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
  switch (decision.kind) {
    case 'redirect':
      return redirect(site, decision);
    case 'preview-ended':
      return previewEnded();
    case 'media':
      return largeFile(deps, request, { site, file: decision.file }, now);
    case 'listing':
    case 'offer':
      return projectPage(site, await pageOf(deps, site, outcome, decision), request);
    default:
      return answerFile(site, decision, now);
  }
}

type OfFile = Extract<
  Decision,
  { kind: 'file' | 'not-modified' | 'not-found-page' | 'precondition-failed' | 'unsatisfiable' }
>;

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

async function pageOf(
  deps: AnswerDeps,
  site: ServingRecord,
  { files = new Map() }: { files?: Manifest },
  decision: Extract<Decision, { kind: 'listing' | 'offer' }>,
): Promise<Page> {
  if (decision.kind === 'listing') return listing(deps.brand, site, files, decision.folder);
  // Most visits are of sites, which need no page of ours.
  const { singleFilePage } = await import('./single-file-page.ts');
  return singleFilePage(deps, site, decision);
}

function listing(brand: string, site: ServingRecord, manifest: Manifest, folder: string): Page {
  const { folders, files, totals } = listFolder(manifest, folder);
  return listingPage({
    brand,
    title: site.title,
    folder,
    folders,
    files: files.map((file) => ({
      name: file.name,
      href: encodeURIComponent(file.name),
      bytes: file.bytes,
      type: detectType(file.path),
    })),
    totals,
    noIndex: site.noIndex,
    ...temporary(site),
  });
}

function temporary(site: ServingRecord) {
  return site.temporary && site.expiresAt !== null
    ? { temporary: { expiresAt: site.expiresAt } }
    : {};
}
