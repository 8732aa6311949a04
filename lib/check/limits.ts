import { gatewayRefusals } from '../api/gateway-responses.ts';
import { type CheckedResource, listOf, objectAt } from './template.ts';

/** CloudFront quota "maximum function size". */
const MAX_EDGE_FUNCTION_BYTES = 10_240;
/** CloudFront quota "headers per cache policy" and "per origin request policy". */
const MAX_POLICY_HEADERS = 10;

/** Settings that a multi-tenant distribution must not have. Some belong to tenants and connection groups instead. */
const refusedForTenants = [
  'Aliases',
  'AnycastIpListId',
  'CNAMEs',
  'ContinuousDeploymentPolicyId',
  'CustomOrigin',
  'IPV6Enabled',
  'Logging',
  'PriceClass',
  'S3Origin',
  'Staging',
];

/** Finds gateway responses of an unknown type, and headers whose value API Gateway cannot make. */
export function checkGatewayResponses({ type, properties }: CheckedResource): string[] {
  if (type !== 'AWS::ApiGateway::RestApi') return [];
  const responses = objectAt(properties, 'Body', 'x-amazon-apigateway-gateway-responses');
  return Object.entries(responses).flatMap(([name, response]) => [
    ...(gatewayRefusals.some((refusal) => refusal.type === name)
      ? []
      : [`${name} is not a gateway response type`]),
    ...Object.entries(objectAt(response, 'responseParameters'))
      // A value that CloudFormation has yet to resolve is an object, not text.
      .filter(([, source]) => typeof source === 'string' && !isHeaderSource(source))
      .map(([header, source]) => `${name}: ${header} cannot be ${String(source)}`),
  ]);
}

/** Text in single quotes, or a variable of the request. */
function isHeaderSource(source: string): boolean {
  return /^(?:'[^'\r\n]*'|(?:context|method\.request)\.[\w.-]+)$/.test(source);
}

/** Finds edge functions over CloudFront's size limit. */
export function checkEdgeFunction({ type, properties }: CheckedResource): string[] {
  if (type !== 'AWS::CloudFront::Function') return [];
  const bytes = new TextEncoder().encode(String(properties.FunctionCode)).length;
  return bytes > MAX_EDGE_FUNCTION_BYTES ? [`the function has ${bytes} bytes, over 10 kB`] : [];
}

/** Finds policies with more headers than CloudFront allows. */
export function checkPolicyHeaders({ type, properties }: CheckedResource): string[] {
  const parents: Record<string, string[]> = {
    'AWS::CloudFront::CachePolicy': [
      'CachePolicyConfig',
      'ParametersInCacheKeyAndForwardedToOrigin',
    ],
    'AWS::CloudFront::OriginRequestPolicy': ['OriginRequestPolicyConfig'],
  };
  const path = parents[type];
  if (path === undefined) return [];
  const count = listOf(objectAt(properties, ...path, 'HeadersConfig').Headers).length;
  return count > MAX_POLICY_HEADERS ? [`the policy has ${count} headers, over 10`] : [];
}

/** Finds settings that CloudFront refuses on a tenant-only distribution. */
export function checkTenantOnly({ type, properties }: CheckedResource): string[] {
  if (type !== 'AWS::CloudFront::Distribution') return [];
  const config = objectAt(properties, 'DistributionConfig');
  if (config.ConnectionMode !== 'tenant-only') return [];
  return refusedForTenants
    .filter((name) => name in config)
    .map((name) => `${name} is not allowed on a tenant-only distribution`);
}

/** Finds behaviors with an origin group and a method that CloudFront refuses there ("Create an origin group"). */
export function checkOriginGroups({ type, properties }: CheckedResource): string[] {
  if (type !== 'AWS::CloudFront::Distribution') return [];
  const config = objectAt(properties, 'DistributionConfig');
  const groups = listOf(objectAt(config, 'OriginGroups').Items).map((group) => objectAt(group).Id);
  return [config.DefaultCacheBehavior, ...listOf(config.CacheBehaviors)]
    .map((behavior) => objectAt(behavior))
    .filter(({ TargetOriginId }) => groups.includes(TargetOriginId))
    .flatMap(({ AllowedMethods, TargetOriginId }) =>
      listOf(AllowedMethods)
        .filter((method) => !/^(GET|HEAD|OPTIONS)$/.test(String(method)))
        .map(
          (method) => `${String(method)} is not allowed for the group ${String(TargetOriginId)}`,
        ),
    );
}

/** Lambda quota "Environment variables", of all names and values together. */
const MAX_VARIABLES_BYTES = 4096;
/** Assumed length of a value that only CloudFormation knows. The longest are ARNs and queue URLs. */
const UNKNOWN_VALUE_BYTES = 128;

/** Finds variables that Lambda refuses: a name is a letter, then at least one letter, digit or underscore; all together have 4 KB. */
export function checkVariables({ type, properties }: CheckedResource): string[] {
  if (type !== 'AWS::Lambda::Function') return [];
  const variables = objectAt(properties, 'Environment', 'Variables');
  const bytes = Object.entries(variables)
    .map(([name, value]) => name.length + bytesOf(value))
    .reduce((sum, one) => sum + one, 0);
  return [
    ...Object.keys(variables)
      .filter((name) => !/^[A-Za-z][A-Za-z0-9_]+$/.test(name))
      .map((name) => `Lambda does not accept ${name} as a variable name`),
    ...(bytes > MAX_VARIABLES_BYTES
      ? [
          `the variables have about ${bytes} bytes, and Lambda accepts ${MAX_VARIABLES_BYTES}; shorten plans, operators or addresses in the settings`,
        ]
      : []),
  ];
}

function bytesOf(value: unknown): number {
  return typeof value === 'string' ? new TextEncoder().encode(value).length : UNKNOWN_VALUE_BYTES;
}
