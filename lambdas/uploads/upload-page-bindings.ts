import { describeIssue } from '../../core/describe-issue.ts';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { SecretFinding } from '../../contract/errors.ts';
import { publishByLink as operation } from '../../contract/operations/link-uploads.ts';
import { inlineUploadBytes } from '../../contract/operations/upload-links.ts';
import { maxUploadParts } from '../../contract/operations/uploads.ts';
import { CodedError } from '../../core/errors.ts';
import { effectiveLimits } from '../../core/projects/quota.ts';
import { uploadLimits } from '../../core/projects/publishing/upload-limits.ts';
import {
  admitLinkUse,
  type UsableLink,
  findUsableLink,
} from '../../core/upload-links/find-usable-link.ts';
import { publishByLink } from '../../core/upload-links/publish-by-link.ts';
import {
  receiptPage,
  uploadedPage,
  uploadPage,
  type UploadPage,
} from '../../web/pages/upload-page.ts';
import { type UploadProblem, uploadProblemPage } from '../../web/pages/upload-problem-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { invalidFieldsOf, invalidInput } from '../http/invalid-input.ts';
import { maxFormFiles, readForm } from '../http/multipart.ts';
import { pageResponse, type PageResponse } from '../http/page-response.ts';
import { storageOrigin, uploadLinkServices } from './upload-link-services.ts';

const route = '/upload/{token}';

/** The page of an upload link, and its form for browsers without scripts. */
export const uploadPageBindings: Binding[] = [
  { method: 'GET', route, serve: (request) => renderPage(request, () => uploadForm(request)) },
  { method: 'POST', route, serve: (request) => renderPage(request, () => submitForm(request)) },
];

async function renderPage(
  request: ApiRequest,
  show: () => Promise<PageResponse>,
): Promise<APIGatewayProxyResult> {
  try {
    await admitLinkUse(uploadLinkServices(), request.caller);
    return pageResponse(request, await show());
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return pageResponse(request, problemPage(error));
  }
}

async function uploadForm(request: ApiRequest, refused?: CodedError): Promise<PageResponse> {
  const services = uploadLinkServices();
  const token = tokenOf(request);
  const open = await findUsableLink(services, request.caller, { token });
  // Those who send files learn nothing of the project that collects them.
  const replaced = open.link.request === undefined ? open.project : undefined;
  const page = uploadPage({
    brand: services.brand,
    token,
    title: open.link.title ?? replaced?.title ?? null,
    replaces: replaced !== undefined,
    expiresAt: open.link.expiresAt,
    limits: pageLimits(open),
    asker: open.guest.account.email,
    request: open.link.request,
    storageOrigin: await storageOrigin(),
    problem: refused === undefined ? undefined : formProblem(refused),
  });
  return { status: refused?.status ?? 200, page };
}

function pageLimits({ guest, link }: UsableLink): UploadPage['limits'] {
  const { plans, now } = uploadLinkServices();
  const ofPlan = uploadLimits(effectiveLimits(plans, guest.account, now()));
  const { maxParts } = ofPlan;
  const maxBytes = Math.min(ofPlan.maxBytes, link.request?.maxBytes ?? Number.POSITIVE_INFINITY);
  return {
    maxInline: Math.min(inlineUploadBytes, maxBytes),
    maxParts: Math.min(maxFormFiles, maxParts),
    maxUrls: Math.min(maxUploadParts, maxParts),
    maxEntries: maxParts,
    maxBytes,
  };
}

/** Shows the form again for errors that the person can correct. */
async function submitForm(request: ApiRequest): Promise<PageResponse> {
  const { brand } = uploadLinkServices();
  try {
    const input = await readUpload(request);
    const published = await publishByLink(uploadLinkServices(), request.caller, input);
    if ('receipt' in published) {
      return { status: 200, page: receiptPage({ brand, receipt: published.receipt }) };
    }
    const { title, url } = published;
    return { status: 200, page: uploadedPage({ brand, title, url }) };
  } catch (error) {
    if (!(error instanceof CodedError) || error.code in problems) throw error;
    return uploadForm(request, error);
  }
}

async function readUpload(request: ApiRequest) {
  const form = await readForm(request.body, request.headers['content-type']);
  // A form also sends its empty fields.
  const filled = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''));
  const parsed = operation.input.safeParse(
    { ...filled, link: tokenOf(request) },
    { error: describeIssue },
  );
  if (!parsed.success) throw invalidInput(operation.invalid, invalidFieldsOf(parsed.error.issues));
  const { link: token, ...upload } = parsed.data;
  return { ...upload, token };
}

const problems: Partial<Record<CodedError['code'], UploadProblem>> = {
  UPLOAD_LINK_NOT_FOUND: 'unusable',
  FREE_TIER_RESTRICTED: 'not-in-plan',
  RATE_LIMITED: 'rate-limited',
};

function problemPage(error: CodedError): PageResponse {
  const kind = problems[error.code];
  if (kind === undefined) throw error;
  const { brand } = uploadLinkServices();
  return { status: error.status, page: uploadProblemPage({ brand, kind, detail: error.message }) };
}

function formProblem({ code, body }: CodedError): NonNullable<UploadPage['problem']> {
  const { error, nextStep, htmlPaths } = body;
  if (code === 'SECRETS_FOUND') return keysProblem(body);
  const choice = Array.isArray(htmlPaths) ? htmlPaths.slice(0, 20).join(', ') : '';
  const next =
    code === 'ZIP_MULTIPLE_HTML'
      ? `Choose it again, with one of these as start page: ${choice}`
      : nextStep;
  return { error: String(error), nextStep: String(next).replaceAll('`', '') };
}

/** The error with the places of the keys. The form then has a checkbox to publish the files anyway. */
function keysProblem({ error, findings }: CodedError['body']): NonNullable<UploadPage['problem']> {
  const places = SecretFinding.array()
    .parse(findings)
    .map(({ path, line, kind }) => `${path}, line ${line} (${kind.replaceAll('-', ' ')})`);
  const nextStep = `Remove them and choose the files again: ${places.join('; ')}. If everybody may read them, choose the same files again and tick the box. Nothing was published.`;
  return { error: String(error), nextStep, hasKeys: true };
}

function tokenOf({ pathParameters }: ApiRequest): string {
  return pathParameters['token'] ?? '';
}
