import * as z from 'zod';
import { isSupportedHeader } from '../cloudfront-headers.ts';
import { CookiesConfig, QueryStringsConfig, selectAll, selectNone } from '../selection.ts';
import {
  type Resource,
  ignored,
  parseProperties,
  rejectProperty,
} from '../../assembly/resource.ts';

/** The values that an origin receives in addition to the cache key. */
export type OriginRequestPolicy = ReturnType<typeof originRequestPolicy>;

const OriginRequestProperties = z.strictObject({
  OriginRequestPolicyConfig: z.strictObject({
    Name: ignored,
    Comment: ignored,
    CookiesConfig,
    QueryStringsConfig,
    HeadersConfig: z.strictObject({
      HeaderBehavior: z.enum([
        'none',
        'whitelist',
        'allViewer',
        'allViewerAndWhitelistCloudFront',
        'allExcept',
      ]),
      Headers: z.array(z.string().toLowerCase()).default([]),
    }),
  }),
});

/** Parses an `AWS::CloudFront::OriginRequestPolicy`. */
export function originRequestPolicy(resource: Resource) {
  const config = parseProperties(resource, OriginRequestProperties).OriginRequestPolicyConfig;
  for (const header of config.HeadersConfig.Headers) {
    if (!isSupportedHeader(header))
      rejectProperty(resource, `header ${header}`, 'is not supported locally');
  }
  return {
    headerBehaviour: config.HeadersConfig.HeaderBehavior,
    /** Lowercase. */
    headers: new Set(config.HeadersConfig.Headers),
    cookies: config.CookiesConfig,
    query: config.QueryStringsConfig,
  };
}

/** The default for a behaviour without an origin request policy. */
export const noOriginRequestPolicy: OriginRequestPolicy = {
  headerBehaviour: 'none',
  headers: new Set(),
  cookies: selectNone,
  query: selectNone,
};

/** AWS's managed origin request policies that the local edge supports: AllViewer, AllViewerExceptHostHeader, CORS-S3Origin. */
export const managedOriginRequestPolicies: Readonly<Record<string, OriginRequestPolicy>> = {
  '216adef6-5c7f-47e4-b989-5492eafa07d3': {
    headerBehaviour: 'allViewer',
    headers: new Set(),
    cookies: selectAll,
    query: selectAll,
  },
  'b689b0a8-53d0-40ab-baf2-68738e2966ac': {
    headerBehaviour: 'allExcept',
    headers: new Set(['host']),
    cookies: selectAll,
    query: selectAll,
  },
  '88a5eaf4-2fd4-4709-b370-b4c650ea3fcf': {
    headerBehaviour: 'whitelist',
    headers: new Set(['origin', 'access-control-request-headers', 'access-control-request-method']),
    cookies: selectNone,
    query: selectNone,
  },
};
