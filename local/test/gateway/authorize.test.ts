import { describe, expect, jest, test } from '@jest/globals';
import { parseApiDefinition } from '../../gateway/definition/api-definition.ts';
import type { HttpRequest } from '../../http/http.ts';
import type { Resource } from '../../assembly/resource.ts';
import type { InvokeResult } from '../../lambda/invoke-result.ts';
import {
  aFunction,
  anApi,
  aRequest,
  aResource,
  aRestApi,
  bodyOf,
  functionArn,
  ok,
} from './an-api.ts';

const permission = aResource('AWS::Lambda::Permission', 'DoorPermission', {
  Action: 'lambda:InvokeFunction',
  FunctionName: functionArn('door'),
  Principal: 'apigateway.amazonaws.com',
  SourceArn: 'arn:aws:execute-api:us-east-1:000000000000:api/authorizers/*',
});
const { uri: authorizerUri } = aFunction('door')['x-amazon-apigateway-integration'];
const door = (more: Record<string, unknown> = {}) => ({
  type: 'apiKey',
  name: 'Authorization',
  in: 'header',
  'x-amazon-apigateway-authtype': 'custom',
  'x-amazon-apigateway-authorizer': {
    type: 'request',
    authorizerUri,
    authorizerResultTtlInSeconds: 0,
    identitySource: 'method.request.header.Authorization',
    ...more,
  },
});
/** `POST /health` requires what is given: the authorizer with these settings, or other schemes. */
const guarded = (
  more: Record<string, unknown> = {},
  {
    security = [{ door: [] }],
    schemes = { door: door(more) },
    refusals = {},
  }: {
    security?: Record<string, unknown>[];
    schemes?: Record<string, unknown>;
    refusals?: Record<string, unknown>;
  } = {},
): Resource[] => [
  ...anApi({
    paths: { '/health': { post: { ...aFunction('system'), security } } },
    refusals,
    more: { components: { securitySchemes: schemes } },
  }),
  permission,
];
const methodArn = 'arn:aws:execute-api:us-east-1:000000000000:api/live/POST/health';
const policy = (Effect: string, Resource: unknown = methodArn, more: object = {}) => ({
  principalId: 'someone',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }],
  },
  ...more,
});
const post = (headers: Record<string, string> = { authorization: 'Bearer k' }): HttpRequest =>
  aRequest({ method: 'POST', path: '/health', headers, body: Buffer.from('{}') });

/** The API whose authorizer gives this, and whose other functions answer 200. */
function anApiBehind(result: InvokeResult, resources = guarded()) {
  return aRestApi(resources, (event) =>
    typeof event === 'object' && event !== null && 'methodArn' in event
      ? result
      : ok({ statusCode: 200, body: 'in' }),
  );
}

describe('an authorizer', () => {
  test('gets the request without its body', async () => {
    const api = anApiBehind(ok(policy('Allow')));
    await api.handle(post({ authorization: 'Bearer k', 'x-slipway-origin': 'secret' }));
    const { functionName, event } = api.events[0] ?? {};
    expect(functionName).toBe('door');
    expect(event).toMatchObject({
      type: 'REQUEST',
      methodArn,
      resource: '/health',
      path: '/health',
      httpMethod: 'POST',
      headers: { Authorization: 'Bearer k', 'x-slipway-origin': 'secret' },
      queryStringParameters: {},
      pathParameters: {},
      stageVariables: {},
      requestContext: { resourcePath: '/health', stage: 'live', requestId: expect.any(String) },
    });
    expect(event).not.toHaveProperty('body');
  });

  test.each([
    ['this very call', methodArn],
    ['every call of the stage', 'arn:aws:execute-api:us-east-1:000000000000:api/live/*'],
    ['several', ['arn:aws:execute-api:us-east-1:000000000000:api/live/GET/x', methodArn]],
  ])('accepts a caller that it allows %s', async (_, resource) => {
    const api = anApiBehind(ok(policy('Allow', resource)));
    expect((await api.handle(post())).status).toBe(200);
  });

  test('passes its context to the function, as text', async () => {
    const context = { plan: 'pro', calls: 3, paid: true };
    const api = anApiBehind(ok(policy('Allow', methodArn, { context })));
    await api.handle(post());
    expect(api.events[1]).toMatchObject({
      functionName: 'system',
      event: {
        body: '{}',
        requestContext: {
          authorizer: {
            principalId: 'someone',
            integrationLatency: expect.any(Number),
            plan: 'pro',
            calls: '3',
            paid: 'true',
          },
        },
      },
    });
  });

  test('is called for no other method', async () => {
    const api = anApiBehind(ok(policy('Deny')));
    expect((await api.handle(aRequest())).status).toBe(200);
    expect(api.events[0]?.event).not.toHaveProperty('requestContext.authorizer');
  });

  test.each<Record<string, string>>([{}, { authorization: '' }])(
    'is not called without the identity source: %j',
    async (headers) => {
      const api = anApiBehind(ok(policy('Allow')));
      const answer = await api.handle(post(headers));
      expect(answer.status).toBe(401);
      expect(answer.headers['x-amzn-errortype']).toBe('UnauthorizedException');
      expect(bodyOf(answer)).toBe('{"message":"Unauthorized"}');
      expect(api.events).toEqual([]);
    },
  );

  const failed = (errorMessage: string): InvokeResult => ({
    ok: false,
    errorType: 'Error',
    errorMessage,
  });
  const denied = 'User is not authorized to access this resource';
  const misconfigured = 'AuthorizerConfigurationException';
  const elsewhere = methodArn.replace('POST', 'GET');
  test.each<[string, InvokeResult, number, string | null, string]>([
    ['denies', ok(policy('Deny')), 403, `${denied} with an explicit deny`, 'AccessDeniedException'],
    ['allows something else', ok(policy('Allow', elsewhere)), 403, denied, 'AccessDeniedException'],
    [
      'says that it is unauthorized',
      failed('Unauthorized'),
      401,
      'Unauthorized',
      'UnauthorizedException',
    ],
    ['fails otherwise', failed('Unauthorized: but why'), 500, null, misconfigured],
    ['answers nothing', ok(null), 500, null, misconfigured],
    ['answers no policy', ok({ principalId: 'x' }), 500, null, misconfigured],
    ['names nobody', ok({ ...policy('Allow'), principalId: undefined }), 500, null, misconfigured],
    [
      'gives a context with more than plain values',
      ok(policy('Allow', methodArn, { context: { scopes: ['a'] } })),
      500,
      null,
      misconfigured,
    ],
  ])('that %s refuses the caller', async (_, result, status, message, errorType) => {
    const api = anApiBehind(result);
    const answer = await api.handle(post());
    expect(answer.status).toBe(status);
    expect(answer.headers['x-amzn-errortype']).toBe(errorType);
    expect(JSON.parse(bodyOf(answer))).toEqual({ message });
    expect(api.events).toHaveLength(1);
  });

  test('that times out refuses the caller', async () => {
    jest.useFakeTimers();
    try {
      const api = aRestApi(guarded(), () => new Promise(() => {}));
      const answering = api.handle(post());
      await jest.advanceTimersByTimeAsync(29_000);
      const answer = await answering;
      expect(answer.status).toBe(500);
      expect(answer.headers['x-amzn-errortype']).toBe('AuthorizerFailureException');
    } finally {
      jest.useRealTimers();
    }
  });

  test('that API Gateway may not call refuses everybody', async () => {
    const resources = guarded().filter((resource) => resource !== permission);
    const api = anApiBehind(ok(policy('Allow')), resources);
    expect((await api.handle(post())).status).toBe(500);
    expect(api.events).toEqual([]);
    expect(api.lines[0]).toContain('authorizers/door');
  });

  test('refuses with the gateway responses of the template', async () => {
    const challenge = 'Bearer error="invalid_token", resource_metadata="https://a.example/x"';
    const refusals = {
      ACCESS_DENIED: {
        statusCode: '401',
        responseParameters: { 'gatewayresponse.header.www-authenticate': `'${challenge}'` },
        responseTemplates: { 'application/json': '{"code":"X"}' },
      },
    };
    const api = anApiBehind(ok(policy('Deny')), guarded({}, { refusals }));
    const answer = await api.handle(post());
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe(challenge);
    expect(bodyOf(answer)).toBe('{"code":"X"}');
  });
});

describe('the start fails for', () => {
  const apiKey = { type: 'apiKey', name: 'x-api-key', in: 'header' };
  test.each<[string, Resource[], RegExp]>([
    ['results that are kept', guarded({ authorizerResultTtlInSeconds: 300 }), /ResultTtl/],
    [
      'results that are kept by default',
      guarded({ authorizerResultTtlInSeconds: undefined }),
      /ResultTtl/,
    ],
    ['another kind of authorizer', guarded({ type: 'token' }), /authorizer\.type/],
    [
      'an identity source that is no header',
      guarded({ identitySource: 'context.path' }),
      /identitySource names context\.path/,
    ],
    [
      'an address that names no function',
      guarded({ authorizerUri: 'arn:x' }),
      /authorizerUri names no Lambda function/,
    ],
    [
      'an address with a variable of the stage',
      guarded({ authorizerUri: authorizerUri.replace('door', '${stageVariables.door}') }),
      /no variable of the stage/,
    ],
    ['an unknown property', guarded({ authorizerCredentials: 'arn:x' }), /authorizerCredentials/],
    [
      'an operation that requires an unknown scheme',
      guarded({}, { schemes: {} }),
      /security names door, which is no security scheme/,
    ],
    [
      'an operation that requires two authorizers',
      guarded(
        {},
        { security: [{ door: [] }, { gate: [] }], schemes: { door: door(), gate: door() } },
      ),
      /names two authorizers/,
    ],
    [
      'an operation that requires a scope',
      guarded({}, { security: [{ door: ['read'] }] }),
      /security\.0\.door/,
    ],
    ['a key with another name', guarded({}, { schemes: { door: apiKey } }), /door is neither/],
    [
      'a key in another header',
      guarded({}, { schemes: { door: door(), api_key: { ...apiKey, name: 'x-key' } } }),
      /api_key is neither/,
    ],
    [
      'another kind of scheme',
      guarded({}, { schemes: { door: { type: 'http', scheme: 'bearer' } } }),
      /securitySchemes\.door/,
    ],
  ])('%s', (_, resources, message) => {
    expect(() => parseApiDefinition(resources)).toThrow(message);
  });
});
