import { describe, expect, test } from '@jest/globals';
import { anApi, aRequest, aRestApi, aStage } from './an-api.ts';

function logging(fields: Record<string, string>) {
  const stage = aStage(JSON.stringify(fields));
  return aRestApi(anApi().map((resource) => (resource.logicalId === 'Stage' ? stage : resource)));
}

describe('the access log', () => {
  const fields = {
    requestId: '$context.requestId',
    method: '$context.httpMethod',
    resource: '$context.resourceId',
    status: '$context.status',
    refusedBy: '$context.error.responseType',
    bytes: '$context.responseLength',
    ms: '$context.responseLatency',
    functionMs: '$context.integration.latency',
    text: 'as it is',
  };

  test('has one line for each request, in the format of the template', async () => {
    const api = logging(fields);
    const { headers } = await api.handle(aRequest({ path: '/v1/projects/secret' }));
    expect(api.lines.map((line) => JSON.parse(line))).toEqual([
      {
        requestId: headers['x-amzn-requestid'],
        method: 'GET',
        resource: expect.stringMatching(/^[0-9a-f]{10}$/),
        status: '200',
        refusedBy: '-',
        bytes: '2',
        ms: expect.stringMatching(/^\d+$/),
        functionMs: expect.stringMatching(/^\d+$/),
        text: 'as it is',
      },
    ]);
    expect(api.lines.join('\n')).not.toContain('secret');
  });

  test('has the kind of a refusal, and no resource if no route matched', async () => {
    const api = logging(fields);
    await api.handle(aRequest({ method: 'PUT', path: '/health/secret' }));
    expect(api.lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        method: 'PUT',
        resource: '-',
        status: '403',
        refusedBy: 'MISSING_AUTHENTICATION_TOKEN',
        functionMs: '-',
      }),
    ]);
    expect(api.lines.join('\n')).not.toContain('secret');
  });

  test('stops the start with a variable that the local gateway cannot fill in', () => {
    expect(() => logging({ who: '$context.authorizer.principalId' })).toThrow(
      '$context.authorizer.principalId',
    );
  });
});
