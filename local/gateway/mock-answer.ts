import type { HttpResponse } from '../http/http.ts';
import type { GatewayCall } from './definition/api-model.ts';
import type { Integration } from './definition/integration.ts';
import { firstMediaType } from './media-type.ts';
import { type Refusal, refusals } from './refusal.ts';

type Mock = Extract<Integration, { kind: 'mock' }>;

/** The fixed answer of a MOCK integration, chosen by the status that its request template names. */
export function mockAnswer(call: GatewayCall, mock: Mock): HttpResponse | Refusal {
  const mediaType = firstMediaType(call.request.headers['content-type']) || 'application/json';
  const status = mock.statusByMediaType.get(mediaType) ?? mock.statusByMediaType.get('$default');
  if (status === undefined) return withoutTemplate(mock);
  const answer =
    mock.answers.find(({ selects }) => selects?.test(String(status))) ??
    mock.answers.find(({ selects }) => selects === undefined);
  if (answer === undefined) return refusals.misconfigured;
  const isEmpty = answer.body === '' || call.request.method === 'HEAD';
  return {
    status: answer.status,
    headers: {
      ...(answer.status === 204 ? {} : { 'content-type': 'application/json' }),
      ...answer.headers,
      'x-amzn-requestid': call.requestId,
      'x-amz-apigw-id': call.extendedRequestId,
    },
    body: Buffer.from(isEmpty ? '' : answer.body),
  };
}

/** Passing a body through to a mock gives it no status code, which the service answers with 500. */
function withoutTemplate(mock: Mock): Refusal {
  const refuses =
    mock.passthrough === 'NEVER' ||
    (mock.passthrough === 'WHEN_NO_TEMPLATES' && mock.statusByMediaType.size > 0);
  return refuses ? refusals.unsupportedMediaType : refusals.misconfigured;
}
