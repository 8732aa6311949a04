import { describe, expect, test } from '@jest/globals';
import { checkTemplate } from '../../lib/check/check-template.ts';
import { fullSettings, synthesize } from './synthesize.ts';

function finding(Type: string, Properties: unknown): string[] {
  return checkTemplate({ Resources: { Thing: { Type, Properties } } });
}

function policy(statement: Record<string, unknown>) {
  return finding('AWS::IAM::Policy', {
    PolicyDocument: { Statement: [{ Effect: 'Allow', Resource: 'arn:x', ...statement }] },
  });
}

describe('our own check', () => {
  test('passes both stacks with every setting given', async () => {
    const { data, service } = await synthesize(fullSettings);
    expect([...checkTemplate(data), ...checkTemplate(service)]).toEqual([]);
  });

  test('finds a misspelt action in a policy, a role, a bucket policy and a permission', () => {
    const statement = { Effect: 'Allow', Action: ['s3:GetObjects'], Resource: 'arn:x' };
    const document = { Statement: [statement] };
    const expected = ['Thing: s3:GetObjects is not a known action'];
    expect(policy({ Action: 's3:GetObjects' })).toEqual(expected);
    expect(finding('AWS::IAM::Role', { Policies: [{ PolicyDocument: document }] })).toEqual(
      expected,
    );
    expect(finding('AWS::S3::BucketPolicy', { PolicyDocument: document })).toEqual(expected);
    expect(finding('AWS::Lambda::Permission', { Action: 'lambda:Invoke' })).toEqual([
      'Thing: lambda:Invoke is not a known action',
    ]);
  });

  test('finds a wildcard action', () => {
    expect(policy({ Action: 'dynamodb:*' })).toEqual(['Thing: dynamodb:* is not a known action']);
  });

  test('finds an action on every resource unless it can have no other', () => {
    expect(policy({ Action: ['s3:GetObject', 'xray:PutTraceSegments'], Resource: ['*'] })).toEqual([
      'Thing: s3:GetObject is allowed on every resource',
    ]);
    expect(policy({ Action: 'xray:PutTraceSegments', Resource: '*' })).toEqual([]);
  });

  test('finds a method that CloudFront refuses in a behaviour with an origin group', () => {
    const behavior = (methods: string[], TargetOriginId = 'pages') => ({
      TargetOriginId,
      AllowedMethods: methods,
    });
    const found = finding('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        OriginGroups: { Quantity: 1, Items: [{ Id: 'pages' }] },
        DefaultCacheBehavior: behavior(['GET', 'HEAD', 'OPTIONS']),
        CacheBehaviors: [behavior(['GET', 'POST']), behavior(['GET', 'POST'], 'forms')],
      },
    });
    expect(found).toEqual(['Thing: POST is not allowed for the group pages']);
  });

  test('allows any wildcard in a Deny statement', () => {
    expect(policy({ Effect: 'Deny', Action: 's3:*', Resource: '*' })).toEqual([]);
  });

  test.each<[string, string, Record<string, unknown>, string]>([
    [
      'a trace of API Gateway',
      'AWS::ApiGateway::Stage',
      { TracingEnabled: true },
      'a trace holds the addresses of requests',
    ],
    ...['path', 'resourcePath', 'error.message', 'identity.userAgent'].map(
      (name): [string, string, Record<string, unknown>, string] => [
        `an access log with ${name}`,
        'AWS::ApiGateway::Stage',
        { AccessLogSetting: { Format: `{"id":"$context.requestId","x":"$context.${name}"}` } },
        `the access log holds $context.${name}`,
      ],
    ),
    [
      'an execution log',
      'AWS::ApiGateway::Stage',
      { MethodSettings: [{ LoggingLevel: 'ERROR' }] },
      'an execution log holds whole requests',
    ],
    [
      'a log of bodies',
      'AWS::ApiGateway::Stage',
      { MethodSettings: [{ DataTraceEnabled: true }] },
      'an execution log holds whole requests',
    ],
    [
      'a log of CloudFront',
      'AWS::CloudFront::Distribution',
      { DistributionConfig: { Logging: { Bucket: 'logs' } } },
      'a log of CloudFront holds the addresses of requests',
    ],
    [
      'a real-time log of one behaviour',
      'AWS::CloudFront::Distribution',
      { DistributionConfig: { CacheBehaviors: [{ RealtimeLogConfigArn: 'arn:x' }] } },
      'a real-time log holds the addresses of requests',
    ],
    [
      'a delivered log of every field',
      'AWS::Logs::Delivery',
      { DeliverySourceName: 'app' },
      'a delivered log without a list of fields holds the addresses of requests',
    ],
    ...['cs(Referer)', 'cs-uri-stem', 'cs-uri-query', 'cs(Cookie)', 'c-ip', 'x-forwarded-for'].map(
      (field): [string, string, Record<string, unknown>, string] => [
        `a delivered log with ${field}`,
        'AWS::Logs::Delivery',
        { RecordFields: ['date', field] },
        `a delivered log holds ${field}`,
      ],
    ),
    [
      'an access log of storage',
      'AWS::S3::Bucket',
      { LoggingConfiguration: {} },
      'an access log of storage holds signed addresses',
    ],
    [
      'a firewall that samples requests',
      'AWS::WAFv2::WebACL',
      {
        VisibilityConfig: { SampledRequestsEnabled: false },
        Rules: [{ VisibilityConfig: { SampledRequestsEnabled: true } }],
      },
      'sampled requests hold the addresses of requests',
    ],
    [
      'a function that logs its events',
      'AWS::Lambda::Function',
      { Environment: { Variables: { POWERTOOLS_LOGGER_LOG_EVENT: 'true' } } },
      'POWERTOOLS_LOGGER_LOG_EVENT makes a function log whole requests',
    ],
  ])('nothing secret in traces and logs: finds %s', (_, type, properties, found) => {
    expect(finding(type, properties)).toEqual([`Thing: ${found}`]);
  });

  const secretValue = {
    'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: 'Secret' }, ':SecretString:::}}']],
  };

  test.each<[string, string, Record<string, unknown>]>([
    ['a variable', 'AWS::Lambda::Function', { Environment: { Variables: { KEY: secretValue } } }],
    ['a custom resource', 'Custom::ApiKeys', { Key: secretValue }],
    [
      'an operation of the API',
      'AWS::ApiGateway::RestApi',
      { Body: { paths: { '/': secretValue } } },
    ],
    [
      'a comment of a distribution',
      'AWS::CloudFront::Distribution',
      { DistributionConfig: { Comment: secretValue } },
    ],
  ])('finds the value of a secret in %s', (_, type, properties) => {
    expect(finding(type, properties)).toEqual([
      'Thing: a reference writes the value of a secret into this resource',
    ]);
  });

  test('lets CloudFront have the value of the header that it adds', () => {
    const OriginCustomHeaders = [{ HeaderName: 'x-slipway-origin', HeaderValue: secretValue }];
    expect(
      finding('AWS::CloudFront::Distribution', {
        DistributionConfig: { Origins: [{ OriginCustomHeaders }] },
      }),
    ).toEqual([]);
  });

  test('allows log fields that no client controls', () => {
    expect(finding('AWS::Logs::Delivery', { RecordFields: ['date', 'time', 'sc-status'] })).toEqual(
      [],
    );
  });

  const refusals = (responses: Record<string, unknown>) =>
    finding('AWS::ApiGateway::RestApi', {
      Body: { 'x-amazon-apigateway-gateway-responses': responses },
    });

  test('finds a gateway response that API Gateway does not have', () => {
    expect(refusals({ TOO_LARGE: {} })).toEqual([
      'Thing: TOO_LARGE is not a gateway response type',
    ]);
    expect(refusals({ THROTTLED: {} })).toEqual([]);
  });

  test.each([
    ['\'Bearer error="x", scope="a b"\'', true],
    ["'*'", true],
    ['context.requestId', true],
    ['method.request.header.origin', true],
    ['*', false],
    ["'it's'", false],
    ["'a\nb'", false],
    ['$context.requestId', false],
  ])('reads a header of a gateway response: %s', (source, fits) => {
    const header = 'gatewayresponse.header.x';
    const found = refusals({ THROTTLED: { responseParameters: { [header]: source } } });
    expect(found).toEqual(fits ? [] : [`Thing: THROTTLED: ${header} cannot be ${source}`]);
  });

  test('measures an edge function in bytes', () => {
    const code = (length: number) =>
      finding('AWS::CloudFront::Function', { FunctionCode: 'é'.repeat(length) });
    expect(code(5120)).toEqual([]);
    expect(code(5121)).toEqual(['Thing: the function has 10242 bytes, over 10 kB']);
  });

  test.each([
    [
      'AWS::CloudFront::CachePolicy',
      (HeadersConfig: unknown) => ({
        CachePolicyConfig: { ParametersInCacheKeyAndForwardedToOrigin: { HeadersConfig } },
      }),
    ],
    [
      'AWS::CloudFront::OriginRequestPolicy',
      (HeadersConfig: unknown) => ({ OriginRequestPolicyConfig: { HeadersConfig } }),
    ],
  ])('counts the headers of %s', (type, properties) => {
    const headers = (count: number) =>
      finding(type, properties({ Headers: Array(count).fill('x-header') }));
    expect(headers(10)).toEqual([]);
    expect(headers(11)).toEqual(['Thing: the policy has 11 headers, over 10']);
  });

  test('finds settings that a tenant-only distribution must not have, and only there', () => {
    const config = { PriceClass: 'PriceClass_100', Aliases: [], IPV6Enabled: true };
    const type = 'AWS::CloudFront::Distribution';
    expect(finding(type, { DistributionConfig: config })).toEqual([]);
    expect(
      finding(type, { DistributionConfig: { ...config, ConnectionMode: 'tenant-only' } }),
    ).toEqual([
      'Thing: Aliases is not allowed on a tenant-only distribution',
      'Thing: IPV6Enabled is not allowed on a tenant-only distribution',
      'Thing: PriceClass is not allowed on a tenant-only distribution',
    ]);
  });

  test('finds variables over 4 KB, with room for values that only CloudFormation knows', () => {
    const found = (Variables: Record<string, unknown>) =>
      finding('AWS::Lambda::Function', { Environment: { Variables } });
    expect(found({ PLANS: 'x'.repeat(4091) })).toEqual([]);
    const tooMuch = /^Thing: the variables have about \d+ bytes, and Lambda accepts 4096/;
    expect(found({ PLANS: 'x'.repeat(4092) })).toEqual([expect.stringMatching(tooMuch)]);
    expect(found({ PLANS: 'ü'.repeat(2046) })).toEqual([expect.stringMatching(tooMuch)]);
    expect(found({ PLANS: 'x'.repeat(4000), TABLE: { Ref: 'Table' } })).toEqual([
      expect.stringMatching(tooMuch),
    ]);
  });

  test.each(['A', '1A', 'A-B', '_A'])('finds the variable name %s', (name) => {
    expect(
      finding('AWS::Lambda::Function', { Environment: { Variables: { [name]: 'x', GOOD: 'y' } } }),
    ).toEqual([`Thing: Lambda does not accept ${name} as a variable name`]);
  });
});
