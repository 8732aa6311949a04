import { describe, expect, test } from '@jest/globals';
import { anApi, aRequest, aRestApi, bodyOf, ok, envelope } from './an-api.ts';

describe('gateway responses', () => {
  test('replace a refusal by status, headers and template', async () => {
    const refusal = {
      statusCode: '404',
      responseParameters: {
        'gatewayresponse.header.Cache-Control': "'no-store'",
        'gatewayresponse.header.X-Request-Id': 'context.requestId',
        'gatewayresponse.header.X-Origin': 'method.request.header.Origin',
      },
      ...envelope,
    };
    const api = aRestApi(anApi({ refusals: { MISSING_AUTHENTICATION_TOKEN: refusal } }));
    const response = await api.handle(
      aRequest({ path: '/no"where', headers: { origin: 'https://a.example' } }),
    );
    const requestId = response.headers['x-amzn-requestid'];
    expect(response.status).toBe(404);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      'x-origin': 'https://a.example',
    });
    expect(JSON.parse(bodyOf(response))).toEqual({
      status: 'error',
      error: 'Missing Authentication Token',
      type: 'MISSING_AUTHENTICATION_TOKEN',
      requestId,
    });
  });

  test.each([
    ['its own before the default', ['THROTTLED', 'DEFAULT_4XX'], 'THROTTLED'],
    ['the default of its class', ['DEFAULT_4XX', 'DEFAULT_5XX'], 'DEFAULT_4XX'],
    ['the service’s when only another class has one', ['DEFAULT_5XX'], 'service'],
  ])('choose %s', async (_name, types, expected) => {
    const settings = [{ ThrottlingRateLimit: 0, ThrottlingBurstLimit: 0 }];
    const refusals = Object.fromEntries(
      types.map((type) => [type, { responseTemplates: { 'application/json': type } }]),
    );
    const resources = anApi({ refusals }).map((resource) =>
      resource.logicalId === 'Stage'
        ? { ...resource, properties: { ...resource.properties, MethodSettings: settings } }
        : resource,
    );
    const response = await aRestApi(resources).handle(aRequest());
    expect(response.status).toBe(429);
    expect(bodyOf(response)).toBe(
      expected === 'service' ? '{"message":"Too Many Requests"}' : expected,
    );
  });

  test('for a class keep the status of the refusal', async () => {
    const api = aRestApi(anApi({ refusals: { DEFAULT_5XX: envelope } }), () => ok(null));
    const response = await api.handle(aRequest());
    expect(response.status).toBe(502);
    expect(JSON.parse(bodyOf(response))).toMatchObject({ type: 'DEFAULT_5XX' });
  });

  test.each([
    ['application/xml', 'application/xml', '<e/>'],
    ['text/html,application/xml', 'application/json', '{}'],
    [undefined, 'application/json', '{}'],
  ])('use the template for Accept %s', async (accept, type, body) => {
    const templates = { 'application/xml': '<e/>', 'application/json': '{}' };
    const refusals = { DEFAULT_4XX: { responseTemplates: templates } };
    const api = aRestApi(anApi({ refusals }));
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const response = await api.handle(aRequest({ path: '/nowhere', headers }));
    expect([response.headers['content-type'], bodyOf(response)]).toEqual([type, body]);
  });

  test('have no body for HEAD', async () => {
    expect(bodyOf(await aRestApi().handle(aRequest({ method: 'HEAD' })))).toBe('');
  });
});
