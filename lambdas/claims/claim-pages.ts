import { freeDaysAfterClaim } from '../../contract/limits.ts';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { proveAddress } from '../../core/accounts/sign-in/prove-address.ts';
import { startSession } from '../../core/accounts/sessions/web-session.ts';
import type { Account } from '../../core/accounts/account.ts';
import { CodedError } from '../../core/errors.ts';
import { claimProject, previewClaim } from '../../core/projects/claims/claim-project.ts';
import type { Project } from '../../core/projects/project.ts';
import { claimCodePage, claimPage } from '../../web/pages/claim-pages.ts';
import { type ClaimProblem, claimProblemPage } from '../../web/pages/claim-problem-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { appPages } from '../http/app-pages.ts';
import { type PageResponse, pageResponse, seeOther } from '../http/page-response.ts';
import { isFromOwnPage } from '../http/origin-checks.ts';
import { formFields } from '../http/request-body.ts';
import { sessionCookies } from '../http/session-cookie.ts';
import { findSignedInUser } from '../accounts/signed-in-user.ts';
import { signInStep } from '../accounts/sign-in-steps.ts';
import { sessionTable } from '../../adapters/dynamodb/accounts/session-table.ts';
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
    sessions: sessionTable(client, setting('ACCOUNTS_TABLE')),
    baseUrl: setting('BASE_URL'),
    brand: setting('BRAND'),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    plans: deployedPlans(),
  };
});

/**
 * `/claim/<token>`: keeps a temporary project. Whoever is signed in presses one button; for others the code
 * that keeps the project also signs them in. Plain forms, no script.
 */
export const handler = endpoint(
  [
    claimRoute('GET', async (request, project) => {
      const user = await findSignedInUser(claimServices(), request);
      return pageResponse(request, showClaimPage(project, { signedInAs: user?.account.email }));
    }),
    claimRoute('POST', answerForm),
  ],
  appPages,
);

function claimRoute(
  method: string,
  serve: (request: ApiRequest, project: Project) => Promise<APIGatewayProxyResult>,
): Binding {
  return {
    method,
    route: '/claim/{claimToken}',
    async serve(request) {
      try {
        const project = await previewClaim(claimServices(), { claimToken: tokenOf(request) });
        return await serve(request, project);
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        return pageResponse(request, problemPage(error));
      }
    },
  };
}

async function answerForm(request: ApiRequest, project: Project): Promise<APIGatewayProxyResult> {
  const services = claimServices();
  const isOwn = isFromOwnPage(request, services.baseUrl);
  if (formFields(request).has('keep')) {
    const user = isOwn ? await findSignedInUser(services, request) : undefined;
    return user === undefined
      ? pageResponse(request, showClaimPage(project))
      : keepProject(request, user.account);
  }
  const beganAt = services.now();
  const step = await signInStep(services, request, (proof) =>
    proveAddress(services, request.caller, proof),
  );
  switch (step.kind) {
    case 'address':
      return pageResponse(request, showClaimPage(project, step));
    case 'code': {
      const { brand, now } = services;
      const input = { brand, project: projectSummary(project), now: now(), ...step.form };
      const { status, cookies } = step;
      return pageResponse(request, { status, page: claimCodePage(input), cookies });
    }
    case 'done': {
      // A form of another site must not sign a person in to somebody else's account.
      if (!isOwn) return keepProject(request, step.value);
      const session = await startSession(services, request.caller, step.value, beganAt);
      return keepProject(request, step.value, sessionCookies(session));
    }
  }
}

/** What the claim page says beside the project. */
interface ClaimPageInput {
  /** The account that is signed in in this browser, by its address. */
  signedInAs?: string | undefined;
  email?: string;
  error?: string;
}

function showClaimPage(project: Project, input: ClaimPageInput = {}): PageResponse {
  const { brand, defaultPlan, trialDays, signUpPolicy, now } = claimServices();
  const { signedInAs, email, error } = input;
  const keeping = {
    freeDays: freeDaysAfterClaim,
    defaultPlan,
    trialDays,
    signUpOpen: signUpPolicy === 'open',
  };
  const summary = projectSummary(project);
  const page = claimPage({
    brand,
    project: summary,
    keeping,
    now: now(),
    signedInAs,
    email,
    error,
  });
  return { status: error === undefined ? 200 : 400, page };
}

/** Moves the project into an account and opens its page in the app. The cookies are kept on a refusal too. */
async function keepProject(
  request: ApiRequest,
  account: Account,
  cookies: readonly string[] = [],
): Promise<APIGatewayProxyResult> {
  try {
    const input = { claimToken: tokenOf(request) };
    const { projectId } = await claimProject(claimServices(), { account }, input);
    return seeOther(request, `/dashboard/projects/${projectId}#yours`, cookies);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return pageResponse(request, { ...problemPage(error), cookies });
  }
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
