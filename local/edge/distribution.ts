import * as z from 'zod';
import { type Resource, ignored, parseProperties, rejectProperty } from '../assembly/resource.ts';

/** An origin of the template. */
export type Origin = ReturnType<typeof originOf>;

/** Two origins: the second one answers GET, HEAD and OPTIONS if the first answers with one of the statuses. */
export interface OriginGroup {
  originIds: readonly { originId: string }[];
  failoverCriteria: { statusCodes: readonly number[] };
}

/** A cache behaviour: what a distribution does with the paths of one pattern. */
export interface Behaviour {
  /** Its position in the list; part of every cache key. */
  index: number;
  pathPattern: string;
  /** The origin, or the first one of the group. */
  originId: string;
  originGroup: OriginGroup | undefined;
  allowedMethods: ReadonlySet<string>;
  cachePolicyId: string;
  originRequestPolicyId: string | undefined;
  responseHeadersPolicyId: string | undefined;
  /** The functions that run before the cache lookup and before the response leaves. */
  functionArns: Readonly<Partial<Record<'viewer-request' | 'viewer-response', string>>>;
  compress: boolean;
}

/** A parsed `AWS::CloudFront::Distribution`. */
export interface Distribution {
  id: string;
  enabled: boolean;
  isTenantOnly: boolean;
  aliases: readonly string[];
  /** Lowercase name of the origin's header that carries cache tags. */
  cacheTagHeader: string | undefined;
  errorTtlSeconds: ReadonlyMap<number, number>;
  origins: ReadonlyMap<string, Origin>;
  /** In order of precedence; the last one is the default and matches every path. */
  behaviours: readonly Behaviour[];
  /** The names of the parameters that its tenants may have. */
  parameters: readonly string[];
}

const BehaviourConfig = z.strictObject({
  TargetOriginId: z.string(),
  ViewerProtocolPolicy: ignored,
  AllowedMethods: z.array(z.string()).default(['GET', 'HEAD']),
  CachedMethods: z.array(z.enum(['GET', 'HEAD'])).optional(),
  CachePolicyId: z.string(),
  OriginRequestPolicyId: z.string().optional(),
  ResponseHeadersPolicyId: z.string().optional(),
  Compress: z.boolean().default(false),
  FunctionAssociations: z
    .array(
      z.strictObject({
        EventType: z.enum(['viewer-request', 'viewer-response']),
        FunctionARN: z.string(),
      }),
    )
    .max(2)
    .default([]),
});

const OriginConfig = z.strictObject({
  Id: z.string(),
  DomainName: z.string(),
  OriginPath: z.string().default(''),
  OriginAccessControlId: z.string().optional(),
  OriginCustomHeaders: z
    .array(z.strictObject({ HeaderName: z.string().toLowerCase(), HeaderValue: z.string() }))
    .default([]),
  S3OriginConfig: z.strictObject({ OriginAccessIdentity: z.literal('') }).optional(),
  CustomOriginConfig: ignored,
});

const ParameterDefinition = z.strictObject({
  Name: z.string(),
  Definition: z.strictObject({
    StringSchema: z.strictObject({
      Required: z.literal(false),
    }),
  }),
});

/** The statuses for which CloudFront fails over ("Create an origin group"). */
export const failoverStatuses = [400, 403, 404, 416, 429, 500, 502, 503, 504];

const OriginGroupConfig = z.strictObject({
  Id: z.string(),
  Members: z.strictObject({
    Quantity: z.literal(2),
    Items: z.array(z.strictObject({ OriginId: z.string() })).length(2),
  }),
  FailoverCriteria: z.strictObject({
    StatusCodes: z.strictObject({
      Quantity: z.int(),
      Items: z.array(z.literal(failoverStatuses)).nonempty(),
    }),
  }),
});

const Properties = z.strictObject({
  DistributionConfig: z.strictObject({
    Comment: ignored,
    HttpVersion: ignored,
    IPV6Enabled: ignored,
    Enabled: z.boolean(),
    ConnectionMode: z.enum(['direct', 'tenant-only']).default('direct'),
    Aliases: z.array(z.string().toLowerCase()).default([]),
    CacheTagConfig: z.strictObject({ HeaderName: z.string().toLowerCase() }).optional(),
    CustomErrorResponses: z
      .array(z.strictObject({ ErrorCode: z.int(), ErrorCachingMinTTL: z.number() }))
      .default([]),
    TenantConfig: z
      .strictObject({ ParameterDefinitions: z.array(ParameterDefinition).default([]) })
      .default({ ParameterDefinitions: [] }),
    Origins: z.array(OriginConfig).min(1),
    OriginGroups: z
      .strictObject({ Quantity: z.int(), Items: z.array(OriginGroupConfig) })
      .default({ Quantity: 0, Items: [] }),
    DefaultCacheBehavior: BehaviourConfig,
    CacheBehaviors: z.array(BehaviourConfig.extend({ PathPattern: z.string() })).default([]),
  }),
});

/** Parses an `AWS::CloudFront::Distribution`. */
export function distribution(resource: Resource): Distribution {
  const config = parseProperties(resource, Properties).DistributionConfig;
  const origins = new Map(config.Origins.map((origin) => [origin.Id, originOf(origin)]));
  const groups = new Map(
    config.OriginGroups.Items.map((group) => [group.Id, originGroupOf(group)]),
  );
  const behaviours = [
    ...config.CacheBehaviors,
    { ...config.DefaultCacheBehavior, PathPattern: '*' },
  ].map((behaviour, index) => behaviourOf(behaviour, index, groups));
  for (const { originId, originGroup, allowedMethods } of behaviours) {
    for (const id of [originId, ...(originGroup?.originIds ?? []).map((one) => one.originId)])
      if (!origins.has(id))
        rejectProperty(resource, 'TargetOriginId', `names an unknown origin: ${id}`);
    const refused = [...allowedMethods].filter((method) => !groupMethods.has(method));
    if (originGroup !== undefined && refused.length > 0)
      rejectProperty(resource, 'AllowedMethods', `is too wide for a group: ${refused.join()}`);
  }
  return {
    id: resource.logicalId,
    enabled: config.Enabled,
    isTenantOnly: config.ConnectionMode === 'tenant-only',
    aliases: config.Aliases,
    cacheTagHeader: config.CacheTagConfig?.HeaderName,
    errorTtlSeconds: new Map(
      config.CustomErrorResponses.map((item) => [item.ErrorCode, item.ErrorCachingMinTTL]),
    ),
    origins,
    behaviours,
    parameters: config.TenantConfig.ParameterDefinitions.map(({ Name }) => Name),
  };
}

function originOf(config: z.output<typeof OriginConfig>) {
  return {
    id: config.Id,
    domainName: config.DomainName,
    originPath: config.OriginPath,
    isS3: config.S3OriginConfig !== undefined,
    originAccessControlId: config.OriginAccessControlId || undefined,
    /** Custom headers for each request; they may change while the distribution runs. */
    customHeaders: Object.fromEntries(
      config.OriginCustomHeaders.map(({ HeaderName, HeaderValue }) => [HeaderName, HeaderValue]),
    ),
  };
}

/** The methods of a behaviour with a group ("Create an origin group"). */
const groupMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

function originGroupOf(config: z.output<typeof OriginGroupConfig>): OriginGroup {
  return {
    originIds: config.Members.Items.map(({ OriginId }) => ({ originId: OriginId })),
    failoverCriteria: { statusCodes: config.FailoverCriteria.StatusCodes.Items },
  };
}

function behaviourOf(
  config: z.output<typeof BehaviourConfig> & { PathPattern: string },
  index: number,
  groups: ReadonlyMap<string, OriginGroup>,
): Behaviour {
  const originGroup = groups.get(config.TargetOriginId);
  return {
    index,
    pathPattern: config.PathPattern,
    originId: originGroup?.originIds[0]?.originId ?? config.TargetOriginId,
    originGroup,
    allowedMethods: new Set(config.AllowedMethods),
    cachePolicyId: config.CachePolicyId,
    originRequestPolicyId: config.OriginRequestPolicyId,
    responseHeadersPolicyId: config.ResponseHeadersPolicyId,
    functionArns: Object.fromEntries(
      config.FunctionAssociations.map(({ EventType, FunctionARN }) => [EventType, FunctionARN]),
    ),
    compress: config.Compress,
  };
}
