import { describe, expect, test } from '@jest/globals';
import { ErrorBody, type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import { operations } from '../../contract/operations.ts';
import { type Json, ofType, onlyOf, type Resource, synthesize } from './synthesize.ts';

const { service } = await synthesize();

const methods = ofType(service, 'AWS::ApiGateway::Method');
const preflights = methods.filter(({ Properties }) => Properties.HttpMethod === 'OPTIONS');
/** The page of 503, which needs no function. */
const busyPages = methods.filter(({ Properties }) =>
  /^\/_busy(\/|$)/.test(pathOf(Properties.ResourceId)),
);
const calls = methods.filter(
  (method) => !preflights.includes(method) && !busyPages.includes(method),
);

interface Route {
  method: string;
  path: string;
  fn: string;
}

const routes: Route[] = calls.map(({ Properties }) => {
  const [target] = Properties.Integration.Uri['Fn::Join'][1][1]['Fn::GetAtt'];
  return {
    method: Properties.HttpMethod,
    path: pathOf(Properties.ResourceId) || '/',
    fn: service.Resources[target]?.Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME,
  };
});

/** What is no operation of the contract, and the function that serves it. */
const pages: [method: string, path: string, fn: string][] = [
  ['GET', '/', 'system'],
  ['GET', '/docs', 'system'],
  ['GET', '/docs/{page+}', 'system'],
  ['GET', '/favicon.ico', 'system'],
  ['GET', '/robots.txt', 'system'],
  ['GET', '/{rest+}', 'system'],
  ['GET', '/.well-known/security.txt', 'system'],
  ['GET', '/claim/{claimToken}', 'claim-pages'],
  ['POST', '/claim/{claimToken}', 'claim-pages'],
  ['GET', '/account/keep/{link}', 'accounts'],
  ['POST', '/account/keep/{link}', 'accounts'],
  ['GET', '/upload/{token}', 'upload-links'],
  ['POST', '/upload/{token}', 'upload-links'],
  ['GET', '/.well-known/oauth-authorization-server', 'oauth'],
  ['GET', '/.well-known/oauth-protected-resource', 'oauth'],
  ['GET', '/.well-known/{rest+}', 'oauth'],
  ['GET', '/.well-known/oauth-protected-resource/{rest+}', 'oauth'],
  ['GET', '/.well-known/oauth-authorization-server/{rest+}', 'oauth'],
  ['POST', '/oauth/register', 'oauth'],
  ['GET', '/oauth/authorize', 'oauth'],
  ['POST', '/oauth/authorize', 'oauth'],
  ['GET', '/oauth/connections', 'oauth'],
  ['POST', '/oauth/connections', 'oauth'],
  ['POST', '/oauth/token', 'oauth'],
  ['POST', '/oauth/revoke', 'oauth'],
  ['POST', '/mcp', 'mcp'],
  ['GET', '/mcp', 'mcp'],
  ['DELETE', '/mcp', 'mcp'],
  ['GET', '/_slipway/preview/off', 'visitor-forms'],
  ['GET', '/_slipway/preview/ended', 'visitor-forms'],
  ['GET', '/_slipway/preview/{token}', 'visitor-forms'],
  ['GET', '/_slipway/owner/{token}', 'visitor-forms'],
  ['POST', '/_slipway/owner', 'visitor-forms'],
  ['POST', '/_slipway/unlock', 'visitor-forms'],
  ['GET', '/_slipway', 'visitor-forms'],
  ['GET', '/_slipway/{rest+}', 'visitor-forms'],
  ['GET', '/_slipway/report', 'visitor-forms'],
  ['POST', '/_slipway/report', 'visitor-forms'],
  ['POST', '/_slipway/open', 'visitor-forms'],
  ['GET', '/_slipway/cleared', 'visitor-forms'],
];

function pathOf(id: { Ref?: string }): string {
  if (id.Ref === undefined) return '';
  const { ParentId, PathPart } = service.Resources[id.Ref]?.Properties ?? {};
  return `${pathOf(ParentId)}/${PathPart}`;
}

describe('routes', () => {
  test.each<[method: string, path: string, fn: string]>([
    ...operations.map(({ method, path, group }): [string, string, string] => [method, path, group]),
    ...pages,
  ])('%s %s reaches the function %s', (method, path, fn) => {
    const [own] = routes.filter((route) => route.path === path && route.method === method);
    const [any] = routes.filter((route) => route.path === path && route.method === 'ANY');
    expect((own ?? any)?.fn).toBe(fn);
  });

  test('every path takes every method, with the function of its GET, and there are no other paths', () => {
    const declared = [
      ...operations.map(({ method, path, group }) => [method, path, group]),
      ...pages,
    ];
    const expected = new Map(
      declared
        .toSorted(([a], [b]) => Number(a === 'GET') - Number(b === 'GET'))
        .map(([, path, fn]) => [path, fn]),
    );
    const any = routes.filter(({ method }) => method === 'ANY');
    expect(new Map(any.map(({ path, fn }) => [path, fn]))).toEqual(expected);
    expect(any).toHaveLength(expected.size);
  });

  test('a method is separate only for another function, throttle or authorizer', () => {
    const separate = routes.filter(({ method }) => method !== 'ANY');
    expect(separate.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'DELETE /v1/session',
      'POST /mcp',
      'POST /oauth/authorize',
      'POST /oauth/connections',
      'POST /oauth/register',
      'POST /oauth/revoke',
      'POST /oauth/token',
      'POST /v1/auth/otp/request',
      'POST /v1/auth/otp/verify',
      'POST /v1/projects/temp',
      'POST /v1/session',
      'POST /v1/upload-links/{link}/uploads',
      'PUT /v1/projects/{projectId}',
      'PUT /v1/upload-links/{link}',
    ]);
  });

  test('leave room below the 500 resources of a stack', () => {
    expect(Object.keys(service.Resources).length).toBeLessThan(470);
  });

  test('call functions as proxies; only the MCP endpoint has an authorizer', () => {
    for (const { Properties } of calls) {
      const isForAgents =
        pathOf(Properties.ResourceId) === '/mcp' && Properties.HttpMethod === 'POST';
      expect(Properties).toMatchObject({
        AuthorizationType: isForAgents ? 'CUSTOM' : 'NONE',
        Integration: { Type: 'AWS_PROXY' },
      });
    }
  });

  test('have a page with 503 for a busy site that needs no function', () => {
    const pages = busyPages.map(
      ({ Properties }) => `${Properties.HttpMethod} ${pathOf(Properties.ResourceId)}`,
    );
    expect(new Set(pages)).toEqual(
      new Set(['GET /_busy', 'GET /_busy/{path+}', 'HEAD /_busy', 'HEAD /_busy/{path+}']),
    );
    for (const { Properties } of busyPages) {
      const [answer] = Properties.Integration.IntegrationResponses;
      expect(Properties.Integration.Type).toBe('MOCK');
      expect(answer).toMatchObject({
        StatusCode: '503',
        ResponseParameters: {
          'method.response.header.cache-control': "'no-store'",
          'method.response.header.retry-after': "'5'",
        },
      });
      // API Gateway would take these for a template.
      expect(answer.ResponseTemplates['application/json']).not.toMatch(/[$#]/);
    }
  });

  test('need one permission per function', () => {
    const permissions = ofType(service, 'AWS::Lambda::Permission').filter(
      ({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com',
    );
    const groups = new Set(operations.map(({ group }) => group));
    // The pages of a claim link, what visitors send, apps, agents and their door have functions of their own.
    expect(permissions).toHaveLength(groups.size + 5);
  });

  test('take forms, plain files and MCP messages as bytes, and send pictures as bytes', () => {
    expect(onlyOf(service, 'AWS::ApiGateway::RestApi').Properties).toMatchObject({
      BinaryMediaTypes: [
        'multipart/form-data',
        'image/png',
        'application/octet-stream',
        'application/mcp+json',
      ],
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
  });
});

describe('the authorizer of the MCP endpoint', () => {
  const only = (resources: Resource[]): Json => {
    expect(resources).toHaveLength(1);
    return resources[0]?.Properties;
  };

  test('calls its own function for every request, with the request’s credential', () => {
    const { AuthorizerUri, ...door } = onlyOf(service, 'AWS::ApiGateway::Authorizer').Properties;
    expect(door).toMatchObject({
      Type: 'REQUEST',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 0,
    });
    expect(JSON.stringify(AuthorizerUri)).toMatch(/McpAuthorizer[0-9A-F]{8}/);
  });

  test('belongs to POST /mcp, and may call its function for that only', () => {
    const [id] =
      Object.entries(service.Resources).find(
        ([, { Type }]) => Type === 'AWS::ApiGateway::Authorizer',
      ) ?? [];
    const guarded = only(methods.filter(({ Properties }) => Properties.AuthorizerId !== undefined));
    expect(guarded).toMatchObject({
      HttpMethod: 'POST',
      AuthorizationType: 'CUSTOM',
      AuthorizerId: { Ref: id },
    });
    expect(pathOf(guarded.ResourceId)).toBe('/mcp');
    const permission = only(
      ofType(service, 'AWS::Lambda::Permission').filter(({ Properties }) =>
        JSON.stringify(Properties.FunctionName).includes('McpAuthorizer'),
      ),
    );
    expect(permission).toMatchObject({
      Action: 'lambda:InvokeFunction',
      Principal: 'apigateway.amazonaws.com',
    });
    expect(JSON.stringify(permission.SourceArn)).toContain(`/authorizers/",{"Ref":"${id}"}`);
  });
});

describe('preflights', () => {
  const paths = preflights.map(({ Properties }) => pathOf(Properties.ResourceId));

  test('are answered for paths that pages of other sites call', () => {
    expect(paths.filter((path) => !path.startsWith('/v1')).toSorted()).toEqual([
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/{rest+}',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/{rest+}',
      '/.well-known/security.txt',
      '/.well-known/{rest+}',
      '/mcp',
      '/oauth/register',
      '/oauth/revoke',
      '/oauth/token',
    ]);
  });

  test('are answered where a key authenticates, and never where a cookie does', () => {
    const ofAuth = (...kinds: string[]) =>
      new Set(operations.filter(({ auth }) => kinds.includes(auth)).map(({ path }) => path));
    const open = ofAuth('key', 'key-only', 'optional');
    expect(new Set(paths.filter((path) => path.startsWith('/v1')))).toEqual(open);
    expect([...ofAuth('session')].filter((path) => open.has(path))).toEqual([]);
  });

  test('of operations with a key allow exactly the path’s methods, and no cookie', () => {
    const found = preflights.find(
      ({ Properties }) => pathOf(Properties.ResourceId) === '/v1/projects/{projectId}',
    );
    const [answer] = found?.Properties.Integration.IntegrationResponses ?? [];
    expect(answer.ResponseParameters).toEqual({
      'method.response.header.x-content-type-options': "'nosniff'",
      'method.response.header.access-control-allow-origin': "'*'",
      'method.response.header.access-control-allow-methods': "'GET,HEAD,PUT,PATCH,DELETE'",
      'method.response.header.access-control-allow-headers':
        "'Authorization,Content-Type,Accept,Idempotency-Key,Content-Disposition,X-Filename'",
      'method.response.header.access-control-max-age': "'86400'",
      'method.response.header.allow': "'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'",
    });
    expect(JSON.stringify(service)).not.toMatch(/allow-credentials/i);
  });

  test.each([
    ['/mcp', 'POST,GET,DELETE'],
    ['/oauth/token', 'POST'],
    ['/.well-known/{rest+}', 'GET'],
  ])('of %s allow every page to %s', (path, allowed) => {
    const found = preflights.find(({ Properties }) => pathOf(Properties.ResourceId) === path);
    expect(found?.Properties).toMatchObject({
      AuthorizationType: 'NONE',
      Integration: {
        Type: 'MOCK',
        PassthroughBehavior: 'NEVER',
        IntegrationResponses: [
          {
            StatusCode: '204',
            ResponseParameters: {
              'method.response.header.access-control-allow-origin': "'*'",
              'method.response.header.access-control-allow-methods': `'${allowed}'`,
              'method.response.header.access-control-allow-headers':
                "'Authorization,Content-Type,Accept,MCP-Protocol-Version,Mcp-Session-Id,Mcp-Method,Mcp-Name,Last-Event-ID'",
              'method.response.header.access-control-max-age': "'86400'",
            },
          },
        ],
      },
    });
    const [sent] = found?.Properties.Integration.IntegrationResponses ?? [];
    const [declared] = found?.Properties.MethodResponses ?? [];
    // API Gateway refuses a header that the method does not declare.
    expect(Object.keys(declared.ResponseParameters)).toEqual(Object.keys(sent.ResponseParameters));
  });
});

describe('stage', () => {
  const stage = onlyOf(service, 'AWS::ApiGateway::Stage').Properties;

  test('is throttled, and anonymous uploads have a lower limit', () => {
    expect(stage.StageName).toBe('live');
    expect(stage.MethodSettings).toEqual([
      expect.objectContaining({
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: 500,
        ThrottlingBurstLimit: 1000,
      }),
      ...[
        ['POST', '~1v1~1auth~1otp~1request'],
        ['POST', '~1v1~1auth~1otp~1verify'],
        ['PUT', '~1v1~1upload-links~1{link}'],
        ['POST', '~1v1~1upload-links~1{link}~1uploads'],
        ['POST', '~1v1~1session'],
        ['DELETE', '~1v1~1session'],
        ['POST', '~1v1~1projects~1temp'],
        ['POST', '~1oauth~1register'],
        ['POST', '~1oauth~1authorize'],
        ['POST', '~1oauth~1connections'],
        ['POST', '~1oauth~1token'],
        ['POST', '~1oauth~1revoke'],
      ].map(([HttpMethod, path]) =>
        expect.objectContaining({
          HttpMethod,
          ResourcePath: `/${path}`,
          ThrottlingRateLimit: 200,
          ThrottlingBurstLimit: 400,
        }),
      ),
    ]);
  });

  test('neither its trace nor its log contains a URL, which may contain a token', () => {
    expect(stage.TracingEnabled).not.toBe(true);
    const { Format } = stage.AccessLogSetting;
    expect(JSON.parse(Format)).toMatchObject({
      requestId: '$context.requestId',
      resource: '$context.resourceId',
      status: '$context.status',
    });
    expect(Format).not.toMatch(/\$context\.(?:path|resourcePath|identity|error\.message)/);
  });

  test('may write its log', () => {
    expect(onlyOf(service, 'AWS::ApiGateway::Account').Properties.CloudWatchRoleArn).toBeDefined();
  });
});

describe('error responses of API Gateway', () => {
  const refusals = new Map(
    ofType(service, 'AWS::ApiGateway::GatewayResponse').map(({ Properties }) => [
      Properties.ResponseType as string,
      Properties,
    ]),
  );
  /** What the authorizer of the MCP endpoint leads to. */
  const forAgents = ['ACCESS_DENIED', 'UNAUTHORIZED'];
  const bodyOf = (type: string) =>
    JSON.parse(refusals.get(type)?.ResponseTemplates['application/json']);

  test.each<[string, ErrorCode]>([
    ['ACCESS_DENIED', 'API_KEY_INVALID'],
    ['API_CONFIGURATION_ERROR', 'INTERNAL'],
    ['AUTHORIZER_CONFIGURATION_ERROR', 'INTERNAL'],
    ['AUTHORIZER_FAILURE', 'INTERNAL'],
    ['BAD_REQUEST_BODY', 'INVALID_REQUEST'],
    ['BAD_REQUEST_PARAMETERS', 'INVALID_REQUEST'],
    ['DEFAULT_4XX', 'INVALID_REQUEST'],
    ['DEFAULT_5XX', 'UNAVAILABLE'],
    ['EXPIRED_TOKEN', 'API_KEY_EXPIRED'],
    ['INTEGRATION_FAILURE', 'UNAVAILABLE'],
    ['INTEGRATION_TIMEOUT', 'TIMEOUT'],
    ['INVALID_API_KEY', 'FORBIDDEN'],
    ['INVALID_SIGNATURE', 'NOT_FOUND'],
    ['MISSING_AUTHENTICATION_TOKEN', 'NOT_FOUND'],
    ['QUOTA_EXCEEDED', 'RATE_LIMITED'],
    ['REQUEST_TOO_LARGE', 'PAYLOAD_TOO_LARGE'],
    ['RESOURCE_NOT_FOUND', 'NOT_FOUND'],
    ['THROTTLED', 'RATE_LIMITED'],
    ['UNAUTHORIZED', 'API_KEY_MISSING'],
    ['UNSUPPORTED_MEDIA_TYPE', 'UNSUPPORTED_MEDIA_TYPE'],
    ['WAF_FILTERED', 'FORBIDDEN'],
  ])('%s becomes %s, with its status and fields', (type, code) => {
    const entry: { status: number; nextStep: string; extra?: { safeParse: Function } } =
      errorCatalogue[code];
    const body = bodyOf(type);
    const nextStep = forAgents.includes(type)
      ? expect.stringContaining('Connect this app')
      : entry.nextStep;
    expect(ErrorBody.parse(body)).toMatchObject({ code, nextStep });
    expect(refusals.get(type)).toMatchObject({
      StatusCode: String(entry.status),
      ResponseParameters: {
        'gatewayresponse.header.cache-control': "'no-store'",
        'gatewayresponse.header.access-control-allow-origin': "'*'",
        'gatewayresponse.header.access-control-expose-headers': expect.stringMatching(
          /^'.*Retry-After, WWW-Authenticate, X-Request-Id'$/,
        ),
      },
    });
    if (entry.extra !== undefined) expect(entry.extra.safeParse(body).success).toBe(true);
  });

  test('cover every type', () => {
    expect(refusals.size).toBe(21);
  });

  test.each([
    ['THROTTLED', 1],
    ['QUOTA_EXCEEDED', 1],
    ['INTEGRATION_FAILURE', 5],
    ['DEFAULT_5XX', 5],
  ])('%s says in its header and its body how long to wait', (type, seconds) => {
    expect(bodyOf(type).retryAfterSeconds).toBe(seconds);
    expect(refusals.get(type)?.ResponseParameters['gatewayresponse.header.retry-after']).toBe(
      `'${seconds}'`,
    );
  });

  test.each([
    ['UNAUTHORIZED', ''],
    ['ACCESS_DENIED', 'error="invalid_token", '],
  ])('%s is the challenge of the MCP endpoint, byte for byte', (type, error) => {
    expect(refusals.get(type)).toMatchObject({
      StatusCode: '401',
      ResponseParameters: {
        'gatewayresponse.header.www-authenticate': `'Bearer ${error}resource_metadata="https://app.example.com/.well-known/oauth-protected-resource/mcp", scope="projects:read projects:write account:read"'`,
      },
    });
  });

  test('contain no challenge outside the MCP endpoint', () => {
    const challenging = [...refusals].filter(
      ([, { ResponseParameters }]) =>
        'gatewayresponse.header.www-authenticate' in ResponseParameters,
    );
    expect(challenging.map(([type]) => type).toSorted()).toEqual(forAgents);
  });

  test.each(['DEFAULT_5XX', 'INTEGRATION_FAILURE'])('%s can be sent again', (type) => {
    expect(refusals.get(type)).toMatchObject({
      StatusCode: '503',
      ResponseParameters: {
        'gatewayresponse.header.retry-after': "'5'",
        'gatewayresponse.header.x-request-id': 'context.requestId',
      },
    });
  });

  test('about a wrong configuration contain the request id', () => {
    expect(bodyOf('API_CONFIGURATION_ERROR').requestId).toBe('$context.requestId');
  });
});
