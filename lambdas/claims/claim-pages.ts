import { freeDaysAfterClaim } from '../../contract/limits.ts';
import { type AddressProof, proveAddress } from '../../core/accounts/sign-in/prove-address.ts';
import { CodedError } from '../../core/errors.ts';
import { claimProject, previewClaim } from '../../core/projects/claims/claim-project.ts';
import type { Project } from '../../core/projects/project.ts';
import { claimCodePage, claimedPage, claimPage } from '../../web/pages/claim-pages.ts';
import { type ClaimProblem, claimProblemPage } from '../../web/pages/claim-problem-page.ts';
import type { Page } from '../../web/pages/parts/page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { appPages } from '../http/app-pages.ts';
import { type PageResponse, pageResponse } from '../http/page-response.ts';
import { signInStep } from '../accounts/sign-in-steps.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { lazy } from '../shared/lazy.ts';
import { uncachedProjectStores } from '../shared/project-stores.ts';
import { deployedPlans } from '../shared/deployed-limits.ts';
import { setting } from '../shared/settings.ts';
import { signInServices } from '../accounts/sign-in-services.ts';

const claimServices = lazy(() => {
  const client = documentClient();
  return {
    ...uncachedProjectStores(client),
    ...signInServices(client),
    brand: setting('BRAND'),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    plans: deployedPlans(),
  };
});

/** `/claim/<token>`: a person signs in by code and keeps a temporary project. Plain forms, no script. */
export const handler = endpoint(
  [
    claimRoute('GET', async (_, project) => showClaimPage(project)),
    claimRoute('POST', (request, project) => answerForm(request, project)),
  ],
  appPages,
);

function claimRoute(
  method: string,
  show: (request: ApiRequest, project: Project) => Promise<PageResponse>,
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
        return pageResponse(request, problemPage(error));
      }
    },
  };
}

async function answerForm(request: ApiRequest, project: Project): Promise<PageResponse> {
  const step = await signInStep(claimServices(), request, (proof) =>
    signInAndClaim(request, project, proof),
  );
  switch (step.kind) {
    case 'address':
      return showClaimPage(project, step);
    case 'code': {
      const { brand, now } = claimServices();
      const input = { brand, project: projectSummary(project), now: now(), ...step.form };
      return { status: step.status, page: claimCodePage(input), cookies: step.cookies };
    }
    case 'done':
      return { status: 200, page: step.value };
  }
}

async function showClaimPage(project: Project, more: { email?: string; error?: string } = {}) {
  const { brand, trialDays, signUpPolicy, now } = claimServices();
  const { email, error } = more;
  const keeping = { freeDays: freeDaysAfterClaim, trialDays, signUpOpen: signUpPolicy === 'open' };
  const page = claimPage({
    brand,
    project: projectSummary(project),
    keeping,
    now: now(),
    email,
    error,
  });
  return { status: error === undefined ? 200 : 400, page };
}

async function signInAndClaim(
  request: ApiRequest,
  project: Project,
  proof: AddressProof,
): Promise<Page> {
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
  UNAVAILABLE: 'unavailable',
};

function problemPage(error: CodedError): PageResponse {
  const kind = problems[error.code];
  if (kind === undefined) throw error;
  const { brand } = claimServices();
  return { status: error.status, page: claimProblemPage({ brand, kind, detail: error.message }) };
}

function projectSummary(project: Project) {
  const { title, host, fileCount, bytes, type, expiresAt } = project;
  const url = claimServices().addresses.siteUrl(host);
  return { title, url, files: fileCount, bytes, type, expiresAt: expiresAt ?? '' };
}

function tokenOf({ pathParameters }: ApiRequest): string {
  return pathParameters['claimToken'] ?? '';
}
