import { describe, expect, test } from '@jest/globals';
import { parseApiDefinition } from '../../../gateway/definition/api-definition.ts';
import type { Resource } from '../../../assembly/resource.ts';
import { aMethod, anApi, aResource, lambdaIntegration } from '../an-api.ts';

const withProperties = (logicalId: string, more: Record<string, unknown>): Resource[] =>
  anApi().map((resource) =>
    resource.logicalId === logicalId
      ? { ...resource, properties: { ...resource.properties, ...more } }
      : resource,
  );
const withMethod = (more: Record<string, unknown>): Resource[] => withProperties('healthGET', more);
const withIntegration = (more: Record<string, unknown>): Resource[] =>
  withMethod({ Integration: { ...lambdaIntegration('system'), ...more } });
const withResponse = (more: Record<string, unknown>): Resource[] => [
  ...anApi(),
  aResource('GatewayResponse', 'Unknown', { ResponseType: 'THROTTLED', ...more }),
];
const mock = (more: Record<string, unknown>): Resource[] =>
  withMethod({
    Integration: {
      Type: 'MOCK',
      RequestTemplates: { 'application/json': '{ statusCode: 204 }' },
      ...more,
    },
  });

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

  test('reads the throttles of the stage with decoded paths', () => {
    const settings = [
      {
        ResourcePath: '/*',
        HttpMethod: '*',
        ThrottlingRateLimit: 50,
        ThrottlingBurstLimit: '20',
        LoggingLevel: 'ERROR',
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
    ['an authorizer', [...anApi(), aResource('Authorizer', 'Auth', {})], /Auth \(stack Service\)/],
    [
      'a request validator',
      [...anApi(), aResource('RequestValidator', 'Validator', {})],
      /Validator \(stack Service\)/,
    ],
    ['a model', [...anApi(), aResource('Model', 'Model', {})], /Model \(stack Service\)/],
    ['a VPC link', [...anApi(), aResource('VpcLink', 'Link', {})], /Link \(stack Service\)/],
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
    [
      'a method with IAM',
      withMethod({ AuthorizationType: 'AWS_IAM' }),
      /healthGET \(stack Service\).*AuthorizationType/,
    ],
    ['a method with an authorizer', withMethod({ AuthorizerId: 'a' }), /property AuthorizerId/],
    ['a method with a validator', withMethod({ RequestValidatorId: 'v' }), /RequestValidatorId/],
    ['a method with a model', withMethod({ RequestModels: {} }), /RequestModels/],
    ['an HTTP integration', withIntegration({ Type: 'HTTP_PROXY' }), /Integration.Type/],
    [
      'an integration by GET',
      withIntegration({ IntegrationHttpMethod: 'GET' }),
      /IntegrationHttpMethod must be POST/,
    ],
    [
      'an integration without a function',
      withIntegration({ Uri: 'arn:aws:apigateway:us-east-1:s3:path/x' }),
      /Integration.Uri names no Lambda function/,
    ],
    [
      'an integration with a role',
      withIntegration({ Credentials: 'arn' }),
      /Integration.Credentials/,
    ],
    [
      'an integration with mapped parameters',
      withIntegration({ RequestParameters: {} }),
      /Integration.RequestParameters/,
    ],
    [
      'an integration with a cache',
      withIntegration({ CacheKeyParameters: [] }),
      /Integration.CacheKeyParameters/,
    ],
    [
      'an integration over a VPC link',
      withIntegration({ ConnectionType: 'VPC_LINK' }),
      /Integration.ConnectionType/,
    ],
    [
      'a timeout over the quota',
      withIntegration({ TimeoutInMillis: 30_000 }),
      /Integration.TimeoutInMillis/,
    ],
    [
      'a mock with a program',
      mock({ RequestTemplates: { 'application/json': '#set($x = 1){"statusCode":200}' } }),
      /RequestTemplates/,
    ],
    [
      'a mock that answers with a program',
      mock({
        IntegrationResponses: [
          { StatusCode: '204', ResponseTemplates: { 'application/json': '$input.body' } },
        ],
      }),
      /fixed text only/,
    ],
    [
      'a mock that maps a header',
      mock({
        IntegrationResponses: [
          {
            StatusCode: '204',
            ResponseParameters: { 'method.response.header.A': 'integration.response.header.A' },
          },
        ],
      }),
      /only headers with literal values/,
    ],
    [
      'a cache cluster',
      withProperties('Stage', { CacheClusterEnabled: true }),
      /CacheClusterEnabled/,
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
    ['an unknown gateway response', withResponse({ ResponseType: 'TOO_BIG' }), /ResponseType/],
    [
      'a gateway response that uses a helper',
      withResponse({
        ResponseTemplates: { 'application/json': '"$util.escapeJavaScript($context.path)"' },
      }),
      /uses \$util.escapeJavaScript/,
    ],
    [
      'a gateway response with an unknown variable',
      withResponse({ ResponseTemplates: { 'application/json': '$context.error.details' } }),
      /uses \$context.error.details/,
    ],
    [
      'a gateway response with a header from nowhere',
      withResponse({ ResponseParameters: { 'gatewayresponse.header.A': 'unquoted' } }),
      /ResponseParameters maps/,
    ],
    [
      'a gateway response that sets no header',
      withResponse({ ResponseParameters: { 'method.response.header.A': "'a'" } }),
      /ResponseParameters maps/,
    ],
    [
      'two APIs',
      [...anApi(), aResource('RestApi', 'Second', {})],
      /exactly one AWS::ApiGateway::RestApi; found .*Api \(stack Service\) and .*Second \(stack Service\)/,
    ],
    ['no stage', anApi().filter(({ logicalId }) => logicalId !== 'Stage'), /found none/],
    [
      'a method of another API',
      withMethod({ RestApiId: 'other' }),
      /healthGET \(stack Service\).*RestApiId/,
    ],
    [
      'an unresolved parent',
      [...anApi(), aResource('Resource', 'lost', { ParentId: 'nowhere', PathPart: 'x' })],
      /root and nowhere|nowhere and root/,
    ],
    ['an unresolved resource', [...anApi(), aMethod('gone', 'GET')], /gone/],
  ])('refuses %s', (_name, resources, message) => {
    expect(() => parseApiDefinition(resources)).toThrow(message);
  });
});
