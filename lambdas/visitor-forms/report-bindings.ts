import type { APIGatewayProxyResult } from 'aws-lambda';
import { AbuseReportInput } from '../../contract/abuse-report.ts';
import { siteNotFound, reportAbuse } from '../../core/abuse/report-abuse.ts';
import { CodedError } from '../../core/errors.ts';
import { reportPage, reportSentPage } from '../../web/pages/visitor/report-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { jsonResponse } from '../http/api-response.ts';
import type { Binding } from '../http/bind.ts';
import { isPlainForm, readJson, readPlainForm } from '../http/request-body.ts';
import { logger } from '../shared/logger.ts';
import { missingPage } from '../visits/refusal-page.ts';
import {
  isFromOtherSite,
  siteAddress,
  visitedSite,
  visitorPage,
  visitorServices,
} from './visitor-services.ts';
import { invalidFieldsOf, invalidInput } from '../http/invalid-input.ts';

const route = '/_slipway/report';

/** The form with which visitors report abuse; the report itself is accepted from the form or as JSON. */
export const reportBindings: Binding[] = [
  { method: 'GET', route, serve: showReportForm },
  {
    method: 'POST',
    route,
    serve: (request) => (isPlainForm(request) ? receiveForm(request) : receiveJson(request)),
  },
];

async function showReportForm(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const { brand } = visitorServices();
  const site = await visitedSite(request);
  if (site === undefined) return siteMissing(request);
  return visitorPage(request, { status: 200, page: reportPage({ brand, host: site.host }) });
}

async function receiveJson(request: ApiRequest): Promise<APIGatewayProxyResult> {
  await receiveReport(request, readJson(request.body, request.headers['content-type']));
  const data = { received: true };
  return jsonResponse(202, { status: 'success', data }, request.caller.requestId);
}

async function receiveForm(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const { brand } = visitorServices();
  const fields = readPlainForm(request.body);
  try {
    await receiveReport(request, fields);
    return visitorPage(request, { status: 202, page: reportSentPage({ brand }) });
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    if (error.code === 'NOT_FOUND') return siteMissing(request);
    // The message starts with the field's name, which is for programs.
    const text = error.message.replace(/^\w+: /, '');
    const page = reportPage({ brand, host: siteAddress(request).host, fields, error: text });
    return visitorPage(request, { status: error.status, page });
  }
}

async function receiveReport(request: ApiRequest, fields: object): Promise<void> {
  refuseCrossSite(request);
  const { host, domainId } = siteAddress(request);
  if (host === '') throw siteNotFound();
  const parsed = AbuseReportInput.safeParse(fields);
  if (!parsed.success) throw invalidInput('INVALID_REQUEST', invalidFieldsOf(parsed.error.issues));
  const input = { ...parsed.data, host, domainId };
  const { projectId, reason } = await reportAbuse(visitorServices(), request.caller, input);
  logger.warn('abuse reported', { projectId, host, reason });
}

/** Pages of other sites must not use up a visitor's reports. @throws CodedError FORBIDDEN */
function refuseCrossSite(request: ApiRequest): void {
  if (!isFromOtherSite(request)) return;
  throw new CodedError('FORBIDDEN', {
    error: 'Send reports from the report page of the site.',
    nextStep: 'Open /_slipway/report on the site that you mean.',
  });
}

function siteMissing(request: ApiRequest): APIGatewayProxyResult {
  const { brand } = visitorServices();
  return visitorPage(request, {
    status: 404,
    page: missingPage({ brand, domainId: siteAddress(request).domainId }, 'site'),
  });
}
