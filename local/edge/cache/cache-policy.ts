import * as z from 'zod';
import { isSupportedHeader } from '../cloudfront-headers.ts';
import { CookiesConfig, QueryStringsConfig, selectNone } from '../selection.ts';
import {
  type Resource,
  ignored,
  parseProperties,
  rejectProperty,
} from '../../assembly/resource.ts';

/** Which requests share a cached object, and for how long. */
export type CachePolicy = ReturnType<typeof cachePolicy>;

const Properties = z.strictObject({
  CachePolicyConfig: z.strictObject({
    Name: ignored,
    Comment: ignored,
    MinTTL: z.number(),
    DefaultTTL: z.number(),
    MaxTTL: z.number(),
    ParametersInCacheKeyAndForwardedToOrigin: z.strictObject({
      EnableAcceptEncodingGzip: z.boolean(),
      EnableAcceptEncodingBrotli: z.boolean().default(false),
      CookiesConfig,
      QueryStringsConfig,
      HeadersConfig: z.strictObject({
        HeaderBehavior: z.enum(['none', 'whitelist']),
        Headers: z.array(z.string().toLowerCase()).default([]),
      }),
    }),
  }),
});

/** Parses an `AWS::CloudFront::CachePolicy`. */
export function cachePolicy(resource: Resource) {
  const config = parseProperties(resource, Properties).CachePolicyConfig;
  const key = config.ParametersInCacheKeyAndForwardedToOrigin;
  for (const header of key.HeadersConfig.Headers) {
    if (!isSupportedHeader(header))
      rejectProperty(resource, `header ${header}`, 'is not supported locally');
  }
  return {
    minTtlSeconds: config.MinTTL,
    defaultTtlSeconds: config.DefaultTTL,
    maxTtlSeconds: config.MaxTTL,
    /** Lowercase. */
    headers: key.HeadersConfig.HeaderBehavior === 'none' ? [] : key.HeadersConfig.Headers,
    cookies: key.CookiesConfig,
    query: key.QueryStringsConfig,
    gzip: key.EnableAcceptEncodingGzip,
    brotli: key.EnableAcceptEncodingBrotli,
  };
}

const bare = { headers: [], cookies: selectNone, query: selectNone };

/** AWS's managed cache policies that the local edge supports (CachingDisabled, CachingOptimized), by id. */
export const managedCachePolicies: Readonly<Record<string, CachePolicy>> = {
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': {
    ...bare,
    minTtlSeconds: 0,
    defaultTtlSeconds: 0,
    maxTtlSeconds: 0,
    gzip: false,
    brotli: false,
  },
  '658327ea-f89d-4fab-a63d-7e88639e58f6': {
    ...bare,
    minTtlSeconds: 1,
    defaultTtlSeconds: 86_400,
    maxTtlSeconds: 31_536_000,
    gzip: true,
    brotli: true,
  },
};

/** Names of managed policies that are not supported, for error messages. */
export const otherManagedPolicies: Readonly<Record<string, string>> = {
  'b2884449-e4de-46a7-ac36-70bc7f1ddd6d': 'CachingOptimizedForUncompressedObjects',
  '83da9c7e-98b4-4e11-a168-04f0df8e2c65': 'UseOriginCacheControlHeaders',
  '4cc15a8a-d715-48a4-82b8-cc0b614638fe': 'UseOriginCacheControlHeaders-QueryStrings',
  '08627262-05a9-4f76-9ded-b50ca2e3a84f': 'Elemental-MediaPackage',
  '2e54312d-136d-493c-8eb9-b001f22f67d2': 'Amplify',
  'acba4595-bd28-49b8-b9fe-13317c0390fa': 'UserAgentRefererHeaders',
  '59781a5b-3903-41f3-afcb-af62929ccde1': 'CORS-CustomOrigin',
  '33f36d7e-f396-46d9-90e0-52428a34d9dc': 'AllViewerAndCloudFrontHeaders-2022-06',
  '67f7725c-6f97-4210-82d7-5512b31e9d03': 'SecurityHeadersPolicy',
  '60669652-455b-4ae9-85a4-c4c02393f86c': 'SimpleCORS',
};
