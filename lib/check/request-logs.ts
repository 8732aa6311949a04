import { requestLogFields } from '../operations/request-log-fields.ts';
import { type CheckedResource, listOf, objectAt, type Rule } from './template.ts';

/**
 * Finds logs that would record the URLs, headers or bodies of requests. URLs may hold secrets: claim
 * tokens, preview links, owner links, upload links, OAuth codes, signatures of presigned URLs.
 */
const rules: Readonly<Record<string, (properties: CheckedResource['properties']) => string[]>> = {
  'AWS::ApiGateway::Stage': stage,
  'AWS::CloudFront::Distribution': distribution,
  'AWS::CloudFront::RealtimeLogConfig': () => ['a real-time log holds the addresses of requests'],
  'AWS::Lambda::Function': (properties) =>
    ['POWERTOOLS_DEV', 'POWERTOOLS_LOGGER_LOG_EVENT']
      .filter((name) => name in objectAt(properties, 'Environment', 'Variables'))
      .map((name) => `${name} makes a function log whole requests`),
  'AWS::Logs::Delivery': ({ RecordFields: fields }) =>
    fields === undefined
      ? ['a delivered log without a list of fields holds the addresses of requests']
      : listOf(fields)
          .filter((field) => !allowedFields.has(String(field)))
          .map((field) => `a delivered log holds ${String(field)}`),
  'AWS::S3::Bucket': (properties) =>
    'LoggingConfiguration' in properties ? ['an access log of storage holds signed addresses'] : [],
  'AWS::WAFv2::LoggingConfiguration': () => ['a log of the firewall holds the headers of requests'],
  'AWS::WAFv2::WebACL': ({ VisibilityConfig, Rules }) =>
    [VisibilityConfig, ...listOf(Rules).map((rule) => objectAt(rule, 'VisibilityConfig'))]
      .filter((config) => objectAt(config).SampledRequestsEnabled !== false)
      .map(() => 'sampled requests hold the addresses of requests'),
};

/** Fields that no client fills with a secret, and that say nothing about a visitor. */
const allowedFields = new Set<string>(requestLogFields);

/** Variables that API Gateway's access log may hold: no client sends their values. */
const allowedVariables = new Set([
  'apiId',
  'error.responseType',
  'extendedRequestId',
  'httpMethod',
  'integration.latency',
  'integration.status',
  'protocol',
  'requestId',
  'requestTime',
  'requestTimeEpoch',
  'resourceId',
  'responseLatency',
  'responseLength',
  'stage',
  'status',
  'xrayTraceId',
]);

/** Finds logs and traces that would record secrets of requests. */
export const checkRequestLogs: Rule = ({ type, properties }) => rules[type]?.(properties) ?? [];

function stage(properties: CheckedResource['properties']): string[] {
  const { Format = '' } = objectAt(properties, 'AccessLogSetting');
  const loggedVariables = [...String(Format).matchAll(/\$context\.(\w+(?:\.\w+)*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !allowedVariables.has(name))
    .map((name) => `the access log holds $context.${name}`);
  const settings = listOf(properties.MethodSettings).map((setting) => objectAt(setting));
  const executionLog = settings.some(
    ({ LoggingLevel = 'OFF', DataTraceEnabled = false }) =>
      LoggingLevel !== 'OFF' || DataTraceEnabled !== false,
  );
  return [
    ...loggedVariables,
    ...(properties.TracingEnabled === true ? ['a trace holds the addresses of requests'] : []),
    ...(executionLog ? ['an execution log holds whole requests'] : []),
  ];
}

function distribution(properties: CheckedResource['properties']): string[] {
  const config = objectAt(properties, 'DistributionConfig');
  const behaviors = [config.DefaultCacheBehavior, ...listOf(config.CacheBehaviors)];
  return [
    ...('Logging' in config ? ['a log of CloudFront holds the addresses of requests'] : []),
    ...(behaviors.some((behavior) => 'RealtimeLogConfigArn' in objectAt(behavior))
      ? ['a real-time log holds the addresses of requests']
      : []),
  ];
}
