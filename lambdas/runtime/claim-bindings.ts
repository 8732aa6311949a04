import { proveAddress } from '../../core/accounts/verify-code.ts';
import { requestCode } from '../../core/accounts/request-code.ts';
import { resendWaitSeconds } from '../../core/accounts/sign-in-code.ts';
import { normaliseEmail } from '../../core/accounts/email.ts';
import { CodedError } from '../../core/errors.ts';
import { claimProject, previewClaim } from '../../core/projects/claim-project.ts';
import { freeDaysAfterClaim } from '../../core/projects/ending.ts';
import type { Project } from '../../core/projects/project.ts';
import { claimCodePage } from '../../web/pages/claim-code-page.ts';
import { claimPage } from '../../web/pages/claim-page.ts';
import { type ClaimProblem, claimProblemPage } from '../../web/pages/claim-problem-page.ts';
import { claimedPage } from '../../web/pages/claimed-page.ts';
import type { ApiRequest } from './api-request.ts';
import type { Binding } from './bind.ts';
import { type ClaimForm, readClaimForm } from './claim-form.ts';
import { claimServices } from './claim-services.ts';
import { pageResponse, type Shown } from './page.ts';

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
  const form = readClaimForm(request.body);
  switch (form.step) {
    case 'invalid':
      return correct(form, project);
    case 'address':
      return sendCode(request, project, form);
    case 'code':
      return keep(request, project, form);
  }
}

async function ask(project: Project, more: { email?: string; error?: string } = {}) {
  const { brand, trialDays, signUpPolicy, now } = claimServices();
  const keeping = { freeDays: freeDaysAfterClaim, trialDays, signUpOpen: signUpPolicy === 'open' };
  const page = claimPage({ brand, project: summary(project), keeping, now: now(), ...more });
  return { status: more.error === undefined ? 200 : 400, page };
}

async function correct(
  { email, problem }: Extract<ClaimForm, { step: 'invalid' }>,
  project: Project,
): Promise<Shown> {
  return problem === 'address'
    ? ask(project, { email, error: 'This is not an e-mail address.' })
    : askCode(project, email, { status: 400, error: 'The code is six digits.' });
}

async function sendCode(
  request: ApiRequest,
  project: Project,
  { email, resend }: Extract<ClaimForm, { step: 'address' }>,
): Promise<Shown> {
  const { data } = await requestCode(claimServices(), request.caller, { email, resend });
  const notice = data.resent ? 'The code was sent again.' : undefined;
  return askCode(project, email, { status: 200, notice });
}

async function keep(
  request: ApiRequest,
  project: Project,
  proof: Extract<ClaimForm, { step: 'code' }>,
): Promise<Shown> {
  const { brand } = claimServices();
  try {
    const account = await proveAddress(claimServices(), request.caller, proof);
    const kept = await claimProject(claimServices(), { account }, { claimToken: tokenOf(request) });
    const { url, expiresAt } = kept;
    const { email } = account;
    const page = claimedPage({ brand, project: { title: project.title, url }, expiresAt, email });
    return { status: 200, page };
  } catch (error) {
    if (!(error instanceof CodedError) || !error.code.startsWith('OTP_')) throw error;
    return askCode(project, proof.email, { status: error.status, error: wrongCode(error) });
  }
}

async function askCode(
  project: Project,
  email: string,
  more: { status: number; error?: string | undefined; notice?: string | undefined },
): Promise<Shown> {
  const { brand, codes, now } = claimServices();
  const open = await codes.get(normaliseEmail(email));
  const resendAvailableInSeconds = open === undefined ? 0 : resendWaitSeconds(open, now());
  const { status, ...rest } = more;
  const shown = { brand, project: summary(project), now: now(), email, resendAvailableInSeconds };
  return { status, page: claimCodePage({ ...shown, ...rest }) };
}

function wrongCode(error: CodedError): string {
  const { attemptsLeft } = error.body;
  if (error.code === 'OTP_INVALID') {
    return `This is not the code. Tries left: ${String(attemptsLeft)}.`;
  }
  return 'This code does not work any more. Have a new one sent.';
}

const problems: Partial<Record<CodedError['code'], ClaimProblem>> = {
  CLAIM_NOT_FOUND: 'unknown',
  ALREADY_CLAIMED: 'already-claimed',
  PROJECT_LIMIT_REACHED: 'project-limit',
  STORAGE_LIMIT_REACHED: 'storage-limit',
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
