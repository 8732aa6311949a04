import type { APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod';
import { AbuseReportInput } from '../../contract/abuse-report.ts';
import { noSite, reportAbuse } from '../../core/abuse/report-abuse.ts';
import { CodedError } from '../../core/errors.ts';
import { notFoundPage } from '../../web/pages/visitor/not-found-page.ts';
import { reportPage } from '../../web/pages/visitor/report-page.ts';
import { reportSentPage } from '../../web/pages/visitor/report-sent-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { jsonResponse } from '../http/api-response.ts';
import type { Binding } from '../http/bind.ts';
import { readJson } from '../http/json-body.ts';
import { logger } from '../shared/logger.ts';
import { isPlainForm, readPlainForm } from '../http/plain-form.ts';
import { siteHost, visitedSite, visitorPage, visitorServices } from './visitor-services.ts';

const route = '/_slipway/report';

/** The form with which visitors report abuse, and what takes it, also as JSON. */
export const reportBindings: Binding[] = [
  { method: 'GET', route, serve: ask },
  {
    method: 'POST',
    route,
    serve: (request) => (isPlainForm(request) ? answerForm(request) : answerJson(request)),
  },
];

async function ask(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const { brand } = visitorServices();
  const site = await visitedSite(request);
  if (site === undefined) return nothingHere(request);
  return visitorPage(request, { status: 200, page: reportPage({ brand, host: site.host }) });
}

async function answerJson(request: ApiRequest): Promise<APIGatewayProxyResult> {
  await take(request, readJson(request.body, request.headers['content-type']));
  const data = { received: true };
  return jsonResponse(202, { status: 'success', data }, request.caller.requestId);
}

async function answerForm(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const { brand } = visitorServices();
  const fields = readPlainForm(request.body);
  try {
    await take(request, fields);
    return visitorPage(request, { status: 202, page: reportSentPage({ brand }) });
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    if (error.code === 'NOT_FOUND') return nothingHere(request);
    // People see the field; its name is for programs.
    const words = error.message.replace(/^\w+: /, '');
    const page = reportPage({ brand, host: siteHost(request), fields, error: words });
    return visitorPage(request, { status: error.status, page });
  }
}

async function take(request: ApiRequest, fields: object): Promise<void> {
  requireOwnPage(request);
  const host = siteHost(request);
  if (host === '') throw noSite();
  const parsed = AbuseReportInput.safeParse(fields);
  if (!parsed.success) throw invalid(parsed.error);
  const input = { ...parsed.data, host };
  const { projectId, reason } = await reportAbuse(visitorServices(), request.caller, input);
  logger.warn('abuse reported', { projectId, host, reason });
}

/** Another site's page must not use up what a visitor may report (cross-site request forgery). */
function requireOwnPage({ headers }: ApiRequest): void {
  const from = headers['sec-fetch-site'];
  if (from !== 'cross-site' && from !== 'same-site') return;
  throw new CodedError('FORBIDDEN', {
    error: 'Reports are taken from the site itself only.',
    nextStep: 'Open /_slipway/report on the site that you mean.',
  });
}

function invalid({ issues }: z.ZodError): CodedError {
  const details = issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const [first] = details;
  return new CodedError('INVALID_REQUEST', {
    error: first === undefined ? 'The report is not valid.' : `${first.path}: ${first.message}`,
    details,
  });
}

function nothingHere(request: ApiRequest): APIGatewayProxyResult {
  const { brand } = visitorServices();
  return visitorPage(request, { status: 404, page: notFoundPage({ brand, kind: 'site' }) });
}
