import { gatewayRefusals } from '../api/gateway-responses.ts';
import { type Checked, listOf, objectAt } from './template.ts';

/** CloudFront quota "maximum function size". */
const MAX_EDGE_FUNCTION_BYTES = 10_240;
/** CloudFront quota "headers per cache policy" and "per origin request policy". */
const MAX_POLICY_HEADERS = 10;

/** Settings that a multi-tenant distribution refuses; tenants and connection groups have some of them. */
const notForTenants = [
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

/** A gateway response of a type that API Gateway does not have, or with a header that it cannot make. */
export function checkGatewayResponse({ type, properties }: Checked): string[] {
  if (type !== 'AWS::ApiGateway::GatewayResponse') return [];
  const name = String(properties.ResponseType);
  const known = gatewayRefusals.some((refusal) => refusal.type === name);
  const headers = Object.entries(objectAt(properties, 'ResponseParameters'))
    // What CloudFormation has yet to resolve is no text.
    .filter(([, source]) => typeof source === 'string' && !isHeaderSource(source))
    .map(([header, source]) => `${header} cannot be ${String(source)}`);
  return [...(known ? [] : [`${name} is not a gateway response type`]), ...headers];
}

/** A text in single quotes, or something of the request. */
function isHeaderSource(source: string): boolean {
  return /^(?:'[^'\r\n]*'|(?:context|method\.request)\.[\w.-]+)$/.test(source);
}

/** An edge function over CloudFront's size limit. */
export function checkEdgeFunction({ type, properties }: Checked): string[] {
  if (type !== 'AWS::CloudFront::Function') return [];
  const bytes = new TextEncoder().encode(String(properties.FunctionCode)).length;
  return bytes > MAX_EDGE_FUNCTION_BYTES ? [`the function has ${bytes} bytes, over 10 kB`] : [];
}

/** A policy with more headers than CloudFront takes. */
export function checkPolicyHeaders({ type, properties }: Checked): string[] {
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

/** A setting on a tenant-only distribution that CloudFront refuses there. */
export function checkTenantOnly({ type, properties }: Checked): string[] {
  if (type !== 'AWS::CloudFront::Distribution') return [];
  const config = objectAt(properties, 'DistributionConfig');
  if (config.ConnectionMode !== 'tenant-only') return [];
  return notForTenants
    .filter((name) => name in config)
    .map((name) => `${name} is not allowed on a tenant-only distribution`);
}

/** A variable name that Lambda refuses: it takes a letter, then at least one letter, digit or underscore. */
export function checkVariables({ type, properties }: Checked): string[] {
  if (type !== 'AWS::Lambda::Function') return [];
  return Object.keys(objectAt(properties, 'Environment', 'Variables'))
    .filter((name) => !/^[A-Za-z][A-Za-z0-9_]+$/.test(name))
    .map((name) => `${name} is not a variable name that Lambda takes`);
}
