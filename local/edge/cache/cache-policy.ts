import * as z from 'zod';
import { isSupportedHeader } from '../cloudfront-headers.ts';
import {
  type Resource,
  ignored,
  parseProperties,
  rejectProperty,
} from '../../assembly/resource.ts';

/** Which requests share a cached object, and for how long. */
export type CachePolicy = ReturnType<typeof cachePolicy>;

/** No policy of the templates selects cookies or parameters of the query. */
export const noCookies = z.strictObject({ CookieBehavior: z.literal('none') });
export const noQuery = z.strictObject({ QueryStringBehavior: z.literal('none') });

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
      CookiesConfig: noCookies,
      QueryStringsConfig: noQuery,
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
    gzip: key.EnableAcceptEncodingGzip,
    brotli: key.EnableAcceptEncodingBrotli,
  };
}

/** AWS's managed cache policy that the templates use, CachingDisabled, by its id. */
export const managedCachePolicies: Readonly<Record<string, CachePolicy>> = {
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': {
    headers: [],
    minTtlSeconds: 0,
    defaultTtlSeconds: 0,
    maxTtlSeconds: 0,
    gzip: false,
    brotli: false,
  },
};
