import { type Proof, proveAddress } from '../../core/accounts/sign-in/prove-address.ts';
import { CodedError } from '../../core/errors.ts';
import { claimProject, previewClaim } from '../../core/projects/claims/claim-project.ts';
import { freeDaysAfterClaim } from '../../core/projects/removal/ending.ts';
import type { Project } from '../../core/projects/project.ts';
import { claimCodePage } from '../../web/pages/claim/claim-code-page.ts';
import { claimPage } from '../../web/pages/claim/claim-page.ts';
import { type ClaimProblem, claimProblemPage } from '../../web/pages/claim/claim-problem-page.ts';
import { claimedPage } from '../../web/pages/claim/claimed-page.ts';
import type { Page } from '../../web/pages/parts/page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { claimServices } from './claim-services.ts';
import { pageResponse, type Shown } from '../http/page.ts';
import { signInStep } from '../accounts/sign-in-steps.ts';

/** The two routes of a claim link. */
export const claimBindings: Binding[] = [
  claimRoute('GET', async (_, project) => ask(project)),
  claimRoute('POST', (request, project) => answerForm(request, project)),
];

function claimRoute(
  method: string,
  show: (request: ApiRequest, project: Project) => Promise<Shown>,
): Binding {
  return {
    method,
    route: '/claim/{claimToken}',
    async serve(request) {
      try {
        const project = await previewClaim(claimServices(), { claimToken: tokenOf(request) });
        return pageResponse(request, await show(request, project));
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        return pageResponse(request, problem(error));
      }
    },
  };
}

async function answerForm(request: ApiRequest, project: Project): Promise<Shown> {
  const step = await signInStep(claimServices(), request, (proof) => keep(request, project, proof));
  switch (step.kind) {
    case 'address':
      return ask(project, step);
    case 'code': {
      const { brand, now } = claimServices();
      const shown = { brand, project: summary(project), now: now(), ...step.asked };
      return { status: step.status, page: claimCodePage(shown), cookies: step.cookies };
    }
    case 'done':
      return { status: 200, page: step.value };
  }
}

async function ask(project: Project, more: { email?: string; error?: string } = {}) {
  const { brand, trialDays, signUpPolicy, now } = claimServices();
  const { email, error } = more;
  const keeping = { freeDays: freeDaysAfterClaim, trialDays, signUpOpen: signUpPolicy === 'open' };
  const page = claimPage({ brand, project: summary(project), keeping, now: now(), email, error });
  return { status: error === undefined ? 200 : 400, page };
}

async function keep(request: ApiRequest, project: Project, proof: Proof): Promise<Page> {
  const { brand } = claimServices();
  const account = await proveAddress(claimServices(), request.caller, proof);
  const kept = await claimProject(claimServices(), { account }, { claimToken: tokenOf(request) });
  const { url, expiresAt } = kept;
  const { email } = account;
  return claimedPage({ brand, project: { title: project.title, url }, expiresAt, email });
}

const problems: Partial<Record<CodedError['code'], ClaimProblem>> = {
  CLAIM_NOT_FOUND: 'unknown',
  ALREADY_CLAIMED: 'already-claimed',
  PROJECT_LIMIT_REACHED: 'project-limit',
  STORAGE_LIMIT_REACHED: 'storage-limit',
  ACCOUNT_SUSPENDED: 'suspended',
  RATE_LIMITED: 'rate-limited',
};

function problem(error: CodedError): Shown {
  const kind = problems[error.code];
  if (kind === undefined) throw error;
  const { brand } = claimServices();
  return { status: error.status, page: claimProblemPage({ brand, kind, detail: error.message }) };
}

function summary(project: Project) {
  const { title, host, fileCount, bytes, type, expiresAt } = project;
  const url = claimServices().addresses.siteUrl(host);
  return { title, url, files: fileCount, bytes, type, expiresAt: expiresAt ?? '' };
}

function tokenOf({ pathParameters }: ApiRequest): string {
  return pathParameters['claimToken'] ?? '';
}
