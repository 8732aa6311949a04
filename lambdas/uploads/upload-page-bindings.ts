import type { APIGatewayProxyResult } from 'aws-lambda';
import * as contract from '../../contract/operations/upload-links.ts';
import { maxUploadParts } from '../../contract/operations/uploads.ts';
import { CodedError } from '../../core/errors.ts';
import { limitsOf } from '../../core/projects/quota.ts';
import { uploadLimits } from '../../core/projects/publishing/upload-limits.ts';
import { admitLinkUse, type OpenLink, openLink } from '../../core/upload-links/open-link.ts';
import { publishByLink } from '../../core/upload-links/publish-by-link.ts';
import { uploadPage, type UploadPage } from '../../web/pages/upload/upload-page.ts';
import {
  type UploadProblem,
  uploadProblemPage,
} from '../../web/pages/upload/upload-problem-page.ts';
import { uploadedPage } from '../../web/pages/upload/uploaded-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { fieldsOf, invalidInput } from '../http/invalid-input.ts';
import { maxFormFiles, readForm } from '../http/multipart.ts';
import { pageResponse, type Shown } from '../http/page.ts';
import { storageOrigin, uploadLinkServices } from './upload-link-services.ts';

const route = '/upload/{token}';

/** The page of an upload link, and what its form posts where no script runs. */
export const uploadPageBindings: Binding[] = [
  { method: 'GET', route, serve: (request) => showing(request, () => ask(request)) },
  { method: 'POST', route, serve: (request) => showing(request, () => answerForm(request)) },
];

async function showing(
  request: ApiRequest,
  show: () => Promise<Shown>,
): Promise<APIGatewayProxyResult> {
  try {
    await admitLinkUse(uploadLinkServices(), request.caller);
    return pageResponse(request, await show());
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return pageResponse(request, problem(error));
  }
}

async function ask(request: ApiRequest, refused?: CodedError): Promise<Shown> {
  const services = uploadLinkServices();
  const token = tokenOf(request);
  const open = await openLink(services, request.caller, token);
  const page = uploadPage({
    brand: services.brand,
    token,
    title: open.link.title ?? open.project?.title ?? null,
    replaces: open.project !== undefined,
    expiresAt: open.link.expiresAt,
    limits: pageLimits(open),
    storageOrigin: await storageOrigin(),
    problem: refused === undefined ? undefined : inWords(refused),
  });
  return { status: refused?.status ?? 200, page };
}

function pageLimits({ guest }: OpenLink): UploadPage['limits'] {
  const { plans, now } = uploadLinkServices();
  const { maxParts, maxBytes } = uploadLimits(limitsOf(plans, guest.account, now()));
  return {
    maxInline: Math.min(contract.inlineUploadBytes, maxBytes),
    maxParts: Math.min(maxFormFiles, maxParts),
    maxUrls: Math.min(maxUploadParts, maxParts),
    maxEntries: maxParts,
    maxBytes,
  };
}

/** A refusal that can be corrected brings the form back. */
async function answerForm(request: ApiRequest): Promise<Shown> {
  const { brand } = uploadLinkServices();
  try {
    const input = await readUpload(request);
    const { title, url } = await publishByLink(uploadLinkServices(), request.caller, input);
    return { status: 200, page: uploadedPage({ brand, title, url }) };
  } catch (error) {
    if (!(error instanceof CodedError) || error.code in problems) throw error;
    return ask(request, error);
  }
}

async function readUpload(request: ApiRequest) {
  const form = await readForm(request.body, request.headers['content-type']);
  // A form sends its empty fields too.
  const filled = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''));
  const parsed = contract.publishByLink.input.safeParse({ ...filled, link: tokenOf(request) });
  if (!parsed.success)
    throw invalidInput(contract.publishByLink.invalid, fieldsOf(parsed.error.issues));
  const { link: token, ...upload } = parsed.data;
  return { ...upload, token };
}

const problems: Partial<Record<CodedError['code'], UploadProblem>> = {
  UPLOAD_LINK_NOT_FOUND: 'unusable',
  FREE_TIER_RESTRICTED: 'not-in-plan',
  RATE_LIMITED: 'rate-limited',
};

function problem(error: CodedError): Shown {
  const kind = problems[error.code];
  if (kind === undefined) throw error;
  const { brand } = uploadLinkServices();
  return { status: error.status, page: uploadProblemPage({ brand, kind, detail: error.message }) };
}

/** For people who filled in a form. */
function inWords({ code, body }: CodedError): NonNullable<UploadPage['problem']> {
  const { error, nextStep, htmlPaths } = body;
  const choice = Array.isArray(htmlPaths) ? htmlPaths.slice(0, 20).join(', ') : '';
  const next =
    code === 'ZIP_MULTIPLE_HTML'
      ? `Choose it again, with one of these as start page: ${choice}`
      : nextStep;
  return { error: String(error), nextStep: String(next).replaceAll('`', '') };
}

function tokenOf({ pathParameters }: ApiRequest): string {
  return pathParameters['token'] ?? '';
}
