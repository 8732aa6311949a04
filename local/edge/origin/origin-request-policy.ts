import * as z from 'zod';
import { noCookies, noQuery } from '../cache/cache-policy.ts';
import { isSupportedHeader } from '../cloudfront-headers.ts';
import {
  type Resource,
  ignored,
  parseProperties,
  rejectProperty,
} from '../../assembly/resource.ts';

/**
 * The values that an origin receives in addition to the cache key: all headers but the host, all cookies and the
 * whole query; or headers with these lowercase names alone.
 */
export type OriginRequestPolicy = 'all-but-host' | ReadonlySet<string>;

const OriginRequestProperties = z.strictObject({
  OriginRequestPolicyConfig: z.strictObject({
    Name: ignored,
    Comment: ignored,
    CookiesConfig: noCookies,
    QueryStringsConfig: noQuery,
    HeadersConfig: z.strictObject({
      HeaderBehavior: z.literal('whitelist'),
      Headers: z.array(z.string().toLowerCase()),
    }),
  }),
});

/** Parses an `AWS::CloudFront::OriginRequestPolicy`. */
export function originRequestPolicy(resource: Resource): OriginRequestPolicy {
  const config = parseProperties(resource, OriginRequestProperties).OriginRequestPolicyConfig;
  for (const header of config.HeadersConfig.Headers) {
    if (!isSupportedHeader(header))
      rejectProperty(resource, `header ${header}`, 'is not supported locally');
  }
  return new Set(config.HeadersConfig.Headers);
}

/** The default for a behaviour without an origin request policy. */
export const noOriginRequestPolicy: OriginRequestPolicy = new Set();

/** AWS's managed origin request policy that the templates use, AllViewerExceptHostHeader, by its id. */
export const managedOriginRequestPolicies: Readonly<Record<string, OriginRequestPolicy>> = {
  'b689b0a8-53d0-40ab-baf2-68738e2966ac': 'all-but-host',
};
