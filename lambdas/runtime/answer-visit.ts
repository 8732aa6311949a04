import type { Decision, ServedFile } from '../../core/visit/decide-visit.ts';
import type { Manifest } from '../../core/visit/manifest.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { mediaLink, type Outcome, type VisitDeps } from '../../core/visit/visit-site.ts';
import { gonePage } from '../../web/pages/gone-page.ts';
import { lockedPage } from '../../web/pages/locked-page.ts';
import { notFoundPage } from '../../web/pages/not-found-page.ts';
import { restingPage } from '../../web/pages/resting-page.ts';
import { withheldPage } from '../../web/pages/withheld-page.ts';
import type { Page } from '../../web/pages/page.ts';
import { folderPage } from './folder-page.ts';
import { singleFilePage, type ViewerDeps } from './single-file-page.ts';
import {
  fileAnswer,
  forOne,
  forPreview,
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
  if (site === undefined || isRefusal(decision)) return refuse(deps.brand, decision, request.path);
  switch (decision.kind) {
    case 'redirect':
      return redirect(site, decision.location);
    case 'preview-ended':
      return previewEnded();
    case 'media':
      return largeFile(deps, request, { site, file: decision.file }, now);
    case 'precondition-failed':
    case 'unsatisfiable':
      return refuseCondition(site, decision);
    case 'file':
    case 'not-modified':
      return fileAnswer(site, decision, now);
    case 'to-viewer':
      return toViewer(site);
    case 'listing':
    case 'offer':
      return projectPage(site, await pageOf(deps, site, outcome, decision), request.conditions);
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

function refuseCondition(
  site: ServingRecord,
  decision: Extract<Decision, { kind: 'precondition-failed' | 'unsatisfiable' }>,
): VisitAnswer {
  return decision.kind === 'unsatisfiable'
    ? unsatisfiable(site, decision.size)
    : preconditionFailed(site);
}

type Refusal = Extract<Decision, { kind: 'missing' | 'gone' | 'withheld' | 'resting' | 'locked' }>;

function isRefusal(decision: Decision): decision is Refusal {
  return ['missing', 'gone', 'withheld', 'resting', 'locked'].includes(decision.kind);
}

/** The same for every visitor who is kept out, whatever was asked for. */
export function refuse(brand: string, decision: Decision, path: string): VisitAnswer {
  if (decision.kind === 'gone') return refusal(410, gonePage({ brand }));
  if (decision.kind === 'withheld') return refusal(451, withheldPage({ brand }));
  if (decision.kind === 'resting') return refusal(503, restingPage({ brand }));
  if (decision.kind === 'locked') {
    return refusal(401, lockedPage({ brand, ask: decision.ask, returnTo: path }));
  }
  const kind = decision.kind === 'missing' ? decision.what : 'site';
  return refusal(404, notFoundPage({ brand, kind }));
}

async function pageOf(
  deps: AnswerDeps,
  site: ServingRecord,
  { files = new Map() }: { files?: Manifest },
  decision: Extract<Decision, { kind: 'listing' | 'offer' }>,
): Promise<Page> {
  return decision.kind === 'offer'
    ? singleFilePage(deps, site, decision)
    : folderPage(deps, site, files, decision.folder);
}
