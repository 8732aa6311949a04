import { describe, expect, test } from '@jest/globals';
import { ErrorBody, type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import { operations } from '../../contract/operations.ts';
import {
  fullSettings,
  type Json,
  ofType,
  onlyOf,
  type Resource,
  type Synthesized,
  synthesize,
} from './synthesize.ts';

const { service } = await synthesize();
const body = onlyOf(service, 'AWS::ApiGateway::RestApi').Properties.Body;
const stage = onlyOf(service, 'AWS::ApiGateway::Stage').Properties;

interface Operation {
  method: string;
  path: string;
  source: Json;
  integration: Json;
}

const anyMethod = 'x-amazon-apigateway-any-method';

/** Every operation of the document, `ANY` for any method. */
const declared: Operation[] = Object.entries<Json>(body.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([name, source]) => ({
    method: name === anyMethod ? 'ANY' : name.toUpperCase(),
    path,
    source,
    integration: source['x-amazon-apigateway-integration'],
  })),
);
const preflights = declared.filter(({ method }) => method === 'OPTIONS');
/** The page of 503, which needs no function. */
const busyPages = declared.filter(({ path }) => /^\/_busy(\/|$)/.test(path));
const calls = declared.filter(
  (operation) => !preflights.includes(operation) && !busyPages.includes(operation),
);

interface Route {
  method: string;
  path: string;
  fn: string;
}

const invocation =
  /^arn:\$\{AWS::Partition\}:apigateway:\$\{AWS::Region\}:lambda:path\/2015-03-31\/functions\/arn:\$\{AWS::Partition\}:lambda:\$\{AWS::Region\}:\$\{AWS::AccountId\}:function:\$\{!stageVariables\.(\w+)\}\/invocations$/;

/** The function that the stage names for an operation. */
function functionOf({ integration }: Operation): string {
  const [, variable = ''] = invocation.exec(integration.uri['Fn::Sub']) ?? [];
  const fn = service.Resources[stage.Variables[variable]?.Ref];
  return fn?.Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME;
}

const routes: Route[] = calls.map((call) => ({
  method: call.method,
  path: call.path,
  fn: functionOf(call),
}));

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
  ['GET', '/mails/stop/{token}', 'projects'],
  ['POST', '/mails/stop/{token}', 'projects'],
  ['GET', '/upload/{token}', 'upload-links'],
  ['POST', '/upload/{token}', 'upload-links'],
  ['GET', '/.well-known/oauth-authorization-server', 'oauth'],
  ['GET', '/.well-known/oauth-protected-resource', 'oauth'],
  ['GET', '/.well-known/{rest+}', 'oauth'],
  ['GET', '/.well-known/oauth-protected-resource/{rest+}', 'oauth'],
  ['GET', '/.well-known/oauth-authorization-server/{rest+}', 'oauth'],
  ['GET', '/device', 'oauth'],
  ['POST', '/device', 'oauth'],
  ['POST', '/oauth/device_authorization', 'oauth'],
  ['POST', '/oauth/register', 'oauth'],
  ['GET', '/oauth/authorize', 'oauth'],
  ['POST', '/oauth/authorize', 'oauth'],
  ['GET', '/oauth/connections', 'oauth'],
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
  ['GET', '/_slipway/share', 'visitor-forms'],
  ['POST', '/_slipway/share', 'visitor-forms'],
  ['GET', '/_slipway/share/{token}', 'visitor-forms'],
  ['POST', '/_slipway/unlock', 'visitor-forms'],
  ['GET', '/_slipway', 'visitor-forms'],
  ['GET', '/_slipway/{rest+}', 'visitor-forms'],
  ['GET', '/_slipway/report', 'visitor-forms'],
  ['POST', '/_slipway/report', 'visitor-forms'],
  ['POST', '/_slipway/open', 'visitor-forms'],
  ['POST', '/_slipway/address', 'visitor-forms'],
  ['POST', '/_slipway/code', 'visitor-forms'],
  ['GET', '/_slipway/cleared', 'visitor-forms'],
  ['GET', '/_slipway/versions.atom', 'visitor-forms'],
];

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
    const served = [
      ...operations.map(({ method, path, group }) => [method, path, group]),
      ...pages,
    ];
    const expected = new Map(
      served
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
      'POST /oauth/device_authorization',
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

  test('leave room below the 500 resources of a stack, with every setting', async () => {
    const { service: full } = await synthesize(fullSettings);
    expect(Object.keys(full.Resources).length).toBeLessThan(300);
  });

  test('call functions as proxies; only the MCP endpoint has an authorizer', () => {
    for (const { path, method, source, integration } of calls) {
      const isForAgents = path === '/mcp' && method === 'POST';
      expect(source.security).toEqual([...(isForAgents ? [{ agents: [] }] : []), { api_key: [] }]);
      expect(integration).toEqual({
        type: 'aws_proxy',
        httpMethod: 'POST',
        uri: { 'Fn::Sub': expect.stringMatching(invocation) },
      });
    }
  });

  test('have a page with 503 for a busy site that needs no function', () => {
    const pages = busyPages.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(pages)).toEqual(new Set(['GET /_busy/{path+}', 'HEAD /_busy/{path+}']));
    for (const { integration } of busyPages) {
      const answer = integration.responses.default;
      expect(integration.type).toBe('mock');
      expect(answer).toMatchObject({
        statusCode: '503',
        responseParameters: {
          'method.response.header.cache-control': "'no-store'",
          'method.response.header.retry-after': "'5'",
        },
      });
      // API Gateway would take these for a template.
      expect(answer.responseTemplates['application/json']).not.toMatch(/[$#]/);
    }
  });

  test('need one permission per function', () => {
    const permissions = ofType(service, 'AWS::Lambda::Permission').filter(
      ({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com',
    );
    const groups = new Set(operations.map(({ group }) => group));
    // The pages of a claim link, what visitors send, apps, agents and their door have functions of their own.
    expect(permissions).toHaveLength(groups.size + 5);
    // Before the stage, whose variables name the functions.
    const stages = Object.values(service.Resources).filter(
      ({ Type }) => Type === 'AWS::ApiGateway::Stage',
    );
    const functions = Object.values(stage.Variables);
    const before = stages.flatMap(({ DependsOn }) => DependsOn ?? []);
    const permitted = before.map((id) => service.Resources[id]?.Properties.FunctionName);
    for (const fn of functions as { Ref: string }[]) {
      expect(permitted).toContainEqual({ 'Fn::GetAtt': [fn.Ref, 'Arn'] });
    }
  });

  test('take forms, plain files and MCP messages as bytes, and send pictures as bytes', () => {
    expect(body['x-amazon-apigateway-binary-media-types']).toEqual([
      'multipart/form-data',
      'image/png',
      'application/octet-stream',
      'application/mcp+json',
    ]);
  });
});

describe('the document', () => {
  const { Body: _, ...api } = onlyOf(service, 'AWS::ApiGateway::RestApi').Properties;
  const deploymentOf = ({ Resources }: Synthesized) =>
    Object.keys(Resources).find((id) => Resources[id]?.Type === 'AWS::ApiGateway::Deployment');

  test('replaces the earlier one, in a regional API', () => {
    expect(api).toMatchObject({
      Mode: 'overwrite',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      Parameters: { endpointConfigurationTypes: 'REGIONAL' },
    });
    expect(api).not.toHaveProperty('BinaryMediaTypes');
  });

  test('has schemas of headers only, and paths that API Gateway imports', () => {
    expect(Object.keys(body.components)).toEqual(['securitySchemes']);
    for (const { path, source } of declared) {
      expect(path).toMatch(/^\/(?:(?:[\w.-]+|\{\w+\+?\})(?:\/|$))*$/);
      expect(Object.keys(source).toSorted()).toEqual([
        'responses',
        'security',
        'x-amazon-apigateway-integration',
      ]);
    }
  });

  test('is deployed whenever it changes, and with nothing else', async () => {
    const { service: same } = await synthesize({ alarmEmail: 'ops@example.org' });
    const { service: other } = await synthesize(fullSettings);
    expect(deploymentOf(service)).toMatch(/^ApiRestDeployment[0-9A-F]{8}[0-9a-f]{32}$/);
    expect(deploymentOf(same)).toBe(deploymentOf(service));
    // Its challenges name another host.
    expect(deploymentOf(other)).not.toBe(deploymentOf(service));
    expect(stage.DeploymentId).toEqual({ Ref: deploymentOf(service) });
  });

  test('is no part of a circle, which CloudFormation refuses', async () => {
    const { service: full } = await synthesize(fullSettings);
    expect(circleIn(full)).toEqual([]);
  });
});

describe('the authorizer of the MCP endpoint', () => {
  const only = (resources: Resource[]): Json => {
    expect(resources).toHaveLength(1);
    return resources[0]?.Properties;
  };

  test('calls its own function for every request, with the request’s credential', () => {
    const { 'x-amazon-apigateway-authorizer': door, ...scheme } =
      body.components.securitySchemes.agents;
    expect(scheme).toEqual({
      type: 'apiKey',
      name: 'Authorization',
      in: 'header',
      'x-amazon-apigateway-authtype': 'custom',
    });
    expect(door).toMatchObject({
      type: 'request',
      identitySource: 'method.request.header.Authorization',
      authorizerResultTtlInSeconds: 0,
    });
    expect(JSON.stringify(door.authorizerUri)).toMatch(/McpAuthorizer[0-9A-F]{8}/);
  });

  test('belongs to POST /mcp, and may call its function for that only', () => {
    const guarded = declared.filter(({ source }) =>
      source.security.some((required: object) => 'agents' in required),
    );
    expect(guarded.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /mcp']);
    const permission = only(
      ofType(service, 'AWS::Lambda::Permission').filter(({ Properties }) =>
        JSON.stringify(Properties.FunctionName).includes('McpAuthorizer'),
      ),
    );
    expect(permission).toMatchObject({
      Action: 'lambda:InvokeFunction',
      Principal: 'apigateway.amazonaws.com',
    });
    // API Gateway gives the authorizer an id of its own making.
    expect(JSON.stringify(permission.SourceArn)).toMatch(
      /\{"Ref":"ApiRest[0-9A-F]{8}"\},"\/authorizers\/\*"/,
    );
  });
});

describe('preflights', () => {
  const paths = preflights.map(({ path }) => path);

  test('are answered for paths that pages of other sites call', () => {
    expect(paths.filter((path) => !path.startsWith('/v1')).toSorted()).toEqual([
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/{rest+}',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/{rest+}',
      '/.well-known/security.txt',
      '/.well-known/{rest+}',
      '/mcp',
      '/oauth/device_authorization',
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
    const found = preflights.find(({ path }) => path === '/v1/projects/{projectId}');
    expect(found?.integration.responses.default.responseParameters).toEqual({
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
    const found = preflights.find((preflight) => preflight.path === path);
    expect(found?.source.security).toEqual([{ api_key: [] }]);
    expect(found?.integration).toMatchObject({
      type: 'mock',
      passthroughBehavior: 'never',
      responses: {
        default: {
          statusCode: '204',
          responseParameters: {
            'method.response.header.access-control-allow-origin': "'*'",
            'method.response.header.access-control-allow-methods': `'${allowed}'`,
            'method.response.header.access-control-allow-headers':
              "'Authorization,Content-Type,Accept,MCP-Protocol-Version,Mcp-Session-Id,Mcp-Method,Mcp-Name,Last-Event-ID'",
            'method.response.header.access-control-max-age': "'86400'",
          },
        },
      },
    });
    // API Gateway refuses a header that the operation does not declare.
    const sent = Object.keys(found?.integration.responses.default.responseParameters);
    expect(
      Object.keys(found?.source.responses['204'].headers).map(
        (name) => `method.response.header.${name}`,
      ),
    ).toEqual(sent);
  });
});

describe('stage', () => {
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
        ['POST', '~1oauth~1device_authorization'],
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
      // Visitors of the busy page leave the throttle of the stage to callers.
      ...['GET', 'HEAD'].map((HttpMethod) =>
        expect.objectContaining({
          HttpMethod,
          ResourcePath: '/~1_busy~1{path+}',
          ThrottlingRateLimit: 10_000,
          ThrottlingBurstLimit: 5000,
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
  const refusals = new Map(Object.entries<Json>(body['x-amazon-apigateway-gateway-responses']));
  /** What the authorizer of the MCP endpoint leads to. */
  const forAgents = ['ACCESS_DENIED', 'UNAUTHORIZED'];
  const bodyOf = (type: string) =>
    JSON.parse(refusals.get(type)?.responseTemplates['application/json']);

  test.each<[string, ErrorCode]>([
    ['ACCESS_DENIED', 'API_KEY_INVALID'],
    ['API_CONFIGURATION_ERROR', 'INTERNAL'],
    ['AUTHORIZER_CONFIGURATION_ERROR', 'INTERNAL'],
    ['AUTHORIZER_FAILURE', 'UNAVAILABLE'],
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
      statusCode: String(entry.status),
      responseParameters: {
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
    expect(refusals.get(type)?.responseParameters['gatewayresponse.header.retry-after']).toBe(
      `'${seconds}'`,
    );
  });

  test.each([
    ['UNAUTHORIZED', ''],
    ['ACCESS_DENIED', 'error="invalid_token", '],
  ])('%s is the challenge of the MCP endpoint, byte for byte', (type, error) => {
    expect(refusals.get(type)).toMatchObject({
      statusCode: '401',
      responseParameters: {
        'gatewayresponse.header.www-authenticate': `'Bearer ${error}resource_metadata="https://app.example.com/.well-known/oauth-protected-resource/mcp", scope="projects:read projects:write account:read"'`,
      },
    });
  });

  test('contain no challenge outside the MCP endpoint', () => {
    const challenging = [...refusals].filter(
      ([, { responseParameters }]) =>
        'gatewayresponse.header.www-authenticate' in responseParameters,
    );
    expect(challenging.map(([type]) => type).toSorted()).toEqual(forAgents);
  });

  test.each(['DEFAULT_5XX', 'INTEGRATION_FAILURE'])('%s can be sent again', (type) => {
    expect(refusals.get(type)).toMatchObject({
      statusCode: '503',
      responseParameters: {
        'gatewayresponse.header.retry-after': "'5'",
        'gatewayresponse.header.x-request-id': 'context.requestId',
      },
    });
  });

  test('about a wrong configuration contain the request id', () => {
    expect(bodyOf('API_CONFIGURATION_ERROR').requestId).toBe('$context.requestId');
  });
});

/** The logical ids of a circle of references, or none. */
function circleIn({ Resources }: Synthesized): string[] {
  const finished = new Set<string>();
  const visit = (id: string, path: readonly string[]): string[] => {
    if (path.includes(id)) return [...path, id];
    if (finished.has(id)) return [];
    const found = referencesOf(Resources[id]).filter((other) => other in Resources);
    const circle = found.map((other) => visit(other, [...path, id])).find((ids) => ids.length > 0);
    finished.add(id);
    return circle ?? [];
  };
  return Object.keys(Resources).flatMap((id) => visit(id, []));
}

function referencesOf(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries<Json>(value).flatMap(([key, inner]) => {
    if (key === 'Ref') return [inner];
    if (key === 'Fn::GetAtt') return inner.slice(0, 1);
    if (key === 'DependsOn') return inner;
    return referencesOf(inner);
  });
}
