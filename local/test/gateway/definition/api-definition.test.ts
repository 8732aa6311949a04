import { describe, expect, test } from '@jest/globals';
import { parseApiDefinition } from '../../../gateway/definition/api-definition.ts';
import type { Resource } from '../../../assembly/resource.ts';
import { aFunction, aMock, anApi, aResource } from '../an-api.ts';

const withProperties = (logicalId: string, more: Record<string, unknown>): Resource[] =>
  anApi().map((resource) =>
    resource.logicalId === logicalId
      ? { ...resource, properties: { ...resource.properties, ...more } }
      : resource,
  );
const withOperation = (operation: Record<string, unknown>): Resource[] =>
  anApi({ paths: { '/health': { get: operation } } });
const withField = (more: Record<string, unknown>): Resource[] =>
  withOperation({ ...aFunction('system'), ...more });
const withIntegration = (more: Record<string, unknown>): Resource[] =>
  withOperation(aFunction('system', more));
const withRefusal = (refusal: Record<string, unknown>, type = 'THROTTLED'): Resource[] =>
  anApi({ refusals: { [type]: refusal } });
const withDocument = (more: Record<string, unknown>): Resource[] => anApi({ more });

describe('apiDefinition', () => {
  test('reads the routes with their paths and functions', () => {
    const { routes, ...api } = parseApiDefinition(anApi());
    expect(
      routes.map(({ httpMethod, path, integration }) => [
        `${httpMethod} ${path}`,
        integration.kind === 'lambda' ? integration.functionName : integration.kind,
      ]),
    ).toEqual([
      ['GET /', 'system'],
      ['GET /health', 'system'],
      ['POST /v1/projects', 'system'],
      ['ANY /v1/projects/{projectId}', 'system'],
      ['GET /assets/{proxy+}', 'system'],
    ]);
    expect(api).toMatchObject({
      apiId: 'api',
      stageName: 'live',
      stageVariables: null,
      binaryMediaTypes: ['multipart/form-data'],
    });
  });

  test('reads the name of a function from the stage', () => {
    const [system] = parseApiDefinition(
      anApi({ paths: { '/': { get: aFunction('${stageVariables.sys_1}') } } }).map((resource) =>
        resource.logicalId === 'Stage'
          ? { ...resource, properties: { ...resource.properties, Variables: { sys_1: 'Sys' } } }
          : resource,
      ),
    ).routes;
    expect(system?.integration).toMatchObject({ functionName: 'Sys' });
  });

  test('reads the throttles of the stage with decoded paths', () => {
    const settings = [
      {
        ResourcePath: '/*',
        HttpMethod: '*',
        ThrottlingRateLimit: 50,
        ThrottlingBurstLimit: '20',
      },
      { ResourcePath: '/~1v1~1projects', HttpMethod: 'POST', ThrottlingRateLimit: 2 },
      { ResourcePath: '/~1', HttpMethod: 'GET', ThrottlingBurstLimit: 1 },
    ];
    expect(
      parseApiDefinition(withProperties('Stage', { MethodSettings: settings })).throttles,
    ).toEqual([
      { path: '*', httpMethod: '*', ratePerSecond: 50, burst: 20 },
      { path: '/v1/projects', httpMethod: 'POST', ratePerSecond: 2, burst: undefined },
      { path: '/', httpMethod: 'GET', ratePerSecond: undefined, burst: 1 },
    ]);
  });

  test.each<[string, Resource[], RegExp]>([
    [
      'a usage plan with a throttle',
      [...anApi(), aResource('UsagePlan', 'Plan', { Throttle: {} })],
      /AWS::ApiGateway::UsagePlan Plan \(stack Service\)/,
    ],
    ['an API key', [...anApi(), aResource('ApiKey', 'Key', {})], /Key \(stack Service\)/],
    ...[
      'Authorizer',
      'GatewayResponse',
      'Method',
      'Model',
      'RequestValidator',
      'Resource',
      'VpcLink',
    ].map((type): [string, Resource[], RegExp] => [
      `a resource of the type ${type}`,
      [...anApi(), aResource(type, 'Thing', {})],
      /Thing \(stack Service\): the local cloud does not know this resource type/,
    ]),
    [
      'a resource policy',
      withProperties('Api', { Policy: {} }),
      /Api \(stack Service\).*: the local cloud does not know the property Policy/,
    ],
    ['compression', withProperties('Api', { MinimumCompressionSize: 0 }), /MinimumCompressionSize/],
    [
      'a private endpoint',
      withProperties('Api', { EndpointConfiguration: { Types: ['PRIVATE'] } }),
      /property EndpointConfiguration.Types.0/,
    ],
    [
      'a closed endpoint',
      withProperties('Api', { DisableExecuteApiEndpoint: true }),
      /DisableExecuteApiEndpoint/,
    ],
    ['a document that is merged', withProperties('Api', { Mode: 'merge' }), /property Mode/],
    ['another version of OpenAPI', withDocument({ openapi: '3.1.0' }), /property Body.openapi/],
    ['servers', withDocument({ servers: [] }), /the property Body.servers/],
    ['requirements of the whole document', withDocument({ security: [] }), /Body.security/],
    [
      'schemas',
      withDocument({ components: { schemas: {} } }),
      /the property Body.components.schemas/,
    ],
    [
      'an unknown extension',
      withDocument({ 'x-amazon-apigateway-policy': {} }),
      /the property Body.x-amazon-apigateway-policy/,
    ],
    [
      'keys from elsewhere',
      withDocument({ 'x-amazon-apigateway-api-key-source': 'AUTHORIZER' }),
      /Body.x-amazon-apigateway-api-key-source/,
    ],
    [
      'a path with half a parameter',
      anApi({ paths: { '/a{b}': { get: aFunction('system') } } }),
      /is no path that can be imported|Body.paths/,
    ],
    [
      'an unknown method',
      anApi({ paths: { '/health': { trace: aFunction('system') } } }),
      /the property Body.paths.\/health.trace/,
    ],
    [
      'an operation without an integration',
      withOperation({ responses: {} }),
      /Body.paths.\/health.get/,
    ],
    ['an operation with parameters', withField({ parameters: [] }), /get.parameters/],
    ['an operation with a body', withField({ requestBody: {} }), /get.requestBody/],
    [
      'an operation with a validator',
      withField({ 'x-amazon-apigateway-request-validator': 'v' }),
      /request-validator/,
    ],
    ['an HTTP integration', withIntegration({ type: 'http_proxy' }), /integration.type/],
    ['an integration by GET', withIntegration({ httpMethod: 'GET' }), /integration.httpMethod/],
    [
      'an integration without a function',
      withIntegration({ uri: 'arn:aws:apigateway:us-east-1:s3:path/x' }),
      /integration.uri names no Lambda function/,
    ],
    [
      'an integration with an unknown variable of the stage',
      withOperation(aFunction('${stageVariables.other}')),
      /uses other, which is no variable of the stage/,
    ],
    ['an integration with a role', withIntegration({ credentials: 'arn' }), /credentials/],
    [
      'an integration with mapped parameters',
      withIntegration({ requestParameters: {} }),
      /requestParameters/,
    ],
    [
      'an integration with a cache',
      withIntegration({ cacheKeyParameters: [] }),
      /cacheKeyParameters/,
    ],
    [
      'an integration over a VPC link',
      withIntegration({ connectionType: 'VPC_LINK' }),
      /connectionType/,
    ],
    [
      'a response that is streamed',
      withIntegration({ responseTransferMode: 'STREAM' }),
      /responseTransferMode/,
    ],
    ['a timeout over the quota', withIntegration({ timeoutInMillis: 30_000 }), /timeoutInMillis/],
    [
      'a mock that passes bodies through',
      withOperation(aMock({}, { passthroughBehavior: 'when_no_match' })),
      /passthroughBehavior/,
    ],
    [
      'a mock that chooses among responses',
      withOperation(aMock({}, { responses: { default: { statusCode: 200 }, '4..': {} } })),
      /responses.4\.\./,
    ],
    [
      'a mock with a program',
      withOperation(
        aMock({}, { requestTemplates: { 'application/json': '#set($x = 1){"statusCode":200}' } }),
      ),
      /requestTemplates/,
    ],
    [
      'a mock that answers with a program',
      withOperation(aMock({ responseTemplates: { 'application/json': '$input.body' } })),
      /fixed text only/,
    ],
    [
      'a mock that maps a header',
      withOperation(
        aMock({
          responseParameters: { 'method.response.header.A': 'integration.response.header.A' },
        }),
      ),
      /only headers with literal values/,
    ],
    ['a canary', withProperties('Stage', { CanarySetting: {} }), /CanarySetting/],
    [
      'a cached method',
      withProperties('Stage', { MethodSettings: [{ CachingEnabled: true }] }),
      /MethodSettings.0.CachingEnabled/,
    ],
    [
      'a stage made by the deployment',
      withProperties('Deployment', { StageName: 'x' }),
      /StageName/,
    ],
    ['an unknown gateway response', withRefusal({}, 'TOO_BIG'), /TOO_BIG/],
    ['an unknown field of a gateway response', withRefusal({ body: '' }), /THROTTLED.body/],
    [
      'a gateway response that uses a helper',
      withRefusal({
        responseTemplates: { 'application/json': '"$util.escapeJavaScript($context.path)"' },
      }),
      /uses \$util.escapeJavaScript/,
    ],
    [
      'a gateway response with an unknown variable',
      withRefusal({ responseTemplates: { 'application/json': '$context.error.details' } }),
      /uses \$context.error.details/,
    ],
    [
      'a gateway response with a header from nowhere',
      withRefusal({ responseParameters: { 'gatewayresponse.header.A': 'unquoted' } }),
      /responseParameters maps/,
    ],
    [
      'a gateway response that sets no header',
      withRefusal({ responseParameters: { 'method.response.header.A': "'a'" } }),
      /responseParameters maps/,
    ],
    [
      'two APIs',
      [
        ...anApi(),
        ...anApi()
          .slice(0, 1)
          .map((api) => ({ ...api, logicalId: 'Second' })),
      ],
      /exactly one AWS::ApiGateway::RestApi; found .*Api \(stack Service\) and .*Second \(stack Service\)/,
    ],
    ['no stage', anApi().filter(({ logicalId }) => logicalId !== 'Stage'), /found none/],
    [
      'a deployment of another API',
      withProperties('Deployment', { RestApiId: 'other' }),
      /Deployment \(stack Service\).*RestApiId/,
    ],
  ])('refuses %s', (_name, resources, message) => {
    expect(() => parseApiDefinition(resources)).toThrow(message);
  });
});
