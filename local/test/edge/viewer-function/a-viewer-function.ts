import { viewerFunction } from '../../../edge/viewer-function/viewer-function.ts';
import type { HttpRequest } from '../../../http/http.ts';
import { aRequest, aResource, text } from '../edge-fixture.ts';

export const aFunction = (body: string, properties: Record<string, unknown> = {}) =>
  viewerFunction(
    aResource('Function', 'Fn', {
      AutoPublish: true,
      FunctionCode: body.includes('handler') ? body : `function handler(event) { ${body} }`,
      FunctionConfig: { Comment: '', Runtime: 'cloudfront-js-2.0' },
      ...properties,
    }),
  );
export const context = { distributionId: 'Visitor', requestId: 'id' };
export const run = (body: string, request: HttpRequest = aRequest()) =>
  aFunction(body).run(request, context);
const echo = 'return { statusCode: 200, body: JSON.stringify(event) };';
export const eventOf = (request: HttpRequest) => {
  const outcome = run(echo, request);
  return outcome.kind === 'response' ? JSON.parse(text(outcome.response)) : undefined;
};
