import { describe, expect, test } from '@jest/globals';
import { aFunction, aMock, anApi, aRequest, aResource, aRestApi, bodyOf } from './an-api.ts';

const value = 'a key of twenty characters';
const plan = (stage = 'live') =>
  aResource('UsagePlan', 'Plan', { ApiStages: [{ ApiId: 'api', Stage: stage }] });
const key = (Enabled = true) => aResource('ApiKey', 'Key', { Enabled, Value: value });
const link = aResource('UsagePlanKey', 'Link', {
  KeyId: 'Key',
  KeyType: 'API_KEY',
  UsagePlanId: 'Plan',
});
const security = [{ api_key: [] }];
const components = {
  securitySchemes: { api_key: { type: 'apiKey', name: 'x-api-key', in: 'header' } },
};

function withKeys(...more: ReturnType<typeof key>[]) {
  const closed = {
    get: { ...aFunction('system'), security },
    options: { ...aMock({ statusCode: '204' }), security },
  };
  return aRestApi([...anApi({ paths: { '/health': closed }, more: { components } }), ...more]);
}

describe('a method that requires an API key', () => {
  test.each<[string, Record<string, string>]>([
    ['no key', {}],
    ['another key', { 'x-api-key': 'another key of twenty' }],
    ['an empty key', { 'x-api-key': '' }],
  ])('refuses %s and calls no function, also for a mock', async (_name, headers) => {
    const api = withKeys(plan(), key(), link);
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await api.handle(aRequest({ method, headers }));
      expect([answer.status, bodyOf(answer)]).toEqual([403, '{"message":"Forbidden"}']);
    }
    expect(api.events).toEqual([]);
  });

  test('accepts a key of its stage', async () => {
    const api = withKeys(plan(), key(), link);
    const headers = { 'x-api-key': value };
    expect((await api.handle(aRequest({ headers }))).status).toBe(200);
    expect((await api.handle(aRequest({ headers, method: 'OPTIONS' }))).status).toBe(204);
  });

  test.each([
    ['that is switched off', [plan(), key(false), link]],
    ['without a usage plan', [plan(), key()]],
    ['of another stage', [plan('test'), key(), link]],
  ])('refuses a key %s', async (_name, resources) => {
    const answer = await withKeys(...resources).handle(
      aRequest({ headers: { 'x-api-key': value } }),
    );
    expect(answer.status).toBe(403);
  });
});
