import * as cdk from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { commonHeaders } from '../../contract/common-headers.ts';
import { largeFileFields, type LargeFileUse } from '../../contract/visits/large-file-fields.ts';
import type { Construct } from 'constructs';

/** Keyed by site and by what the visitor may see. MinTTL must be 0, or CloudFront would cache `no-store` responses. */
export function pageCache(scope: Construct): cloudfront.CachePolicy {
  return new cloudfront.CachePolicy(scope, 'PageCache', {
    comment: 'Slipway: pages, by host and what a visitor may see',
    minTtl: cdk.Duration.seconds(0),
    defaultTtl: cdk.Duration.seconds(0),
    maxTtl: cdk.Duration.days(1),
    headerBehavior: cloudfront.CacheHeaderBehavior.allowList(
      'x-slipway-host',
      'x-slipway-domain',
      'x-slipway-path',
      'x-slipway-access',
      'x-slipway-preview',
      'x-slipway-cleared',
      'x-slipway-worker',
      'x-slipway-view',
    ),
    cookieBehavior: cloudfront.CacheCookieBehavior.none(),
    queryStringBehavior: cloudfront.CacheQueryStringBehavior.none(),
    // The gate compresses. CloudFront normalizes Accept-Encoding, forwards it and adds it to the key.
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  });
}

/**
 * The header with the cache tags of an origin's answer; an invalidation names a tag. Visitors do not get it.
 */
export const cacheTagHeader = 'x-amz-meta-cache-tag';

/** Removes from the gate's answers what only the edge reads. */
export function gateHeaders(scope: Construct): cloudfront.ResponseHeadersPolicy {
  return new cloudfront.ResponseHeadersPolicy(scope, 'GateHeaders', {
    comment: 'Slipway: pages and small files',
    removeHeaders: [cacheTagHeader],
  });
}

const openToOrigins: cloudfront.ResponseHeadersCorsBehavior = {
  accessControlAllowOrigins: ['*'],
  accessControlAllowMethods: ['GET', 'HEAD'],
  accessControlAllowHeaders: ['*'],
  accessControlAllowCredentials: false,
  originOverride: true,
};

/** Adds the headers that S3 does not send, and removes those that reveal how the file is stored. */
export function largeFileHeaders(
  scope: Construct,
  use: LargeFileUse,
): cloudfront.ResponseHeadersPolicy {
  const {
    'x-content-type-options': _,
    'content-security-policy': contentSecurityPolicy,
    ...others
  }: Record<string, string> = { ...commonHeaders, ...largeFileFields[use] };
  const customHeaders = Object.entries(others).map(([header, value]) => ({
    header,
    value,
    override: true,
  }));
  return new cloudfront.ResponseHeadersPolicy(scope, `LargeFileHeaders-${use}`, {
    comment: `Slipway: large files, ${use}`,
    // CloudFront has fields of its own for these headers, and takes all others as custom ones.
    securityHeadersBehavior: {
      contentTypeOptions: { override: true },
      ...(contentSecurityPolicy !== undefined && {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
      }),
    },
    // Without credentials another origin gets what everybody may read; with them, a browser does not accept `*`.
    corsBehavior: openToOrigins,
    ...(customHeaders.length > 0 && { customHeadersBehavior: { customHeaders } }),
    removeHeaders: ['x-amz-server-side-encryption', 'x-amz-version-id', cacheTagHeader],
  });
}

/**
 * Headers that the gate gets in addition to the cache key. A response that the edge caches must not
 * depend on them.
 */
export function visitorRequestPolicy(scope: Construct): cloudfront.OriginRequestPolicy {
  return new cloudfront.OriginRequestPolicy(scope, 'VisitorFacts', {
    comment: 'Slipway: headers about the visitor',
    headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList(
      'user-agent',
      'referer',
      'accept',
      'cloudfront-viewer-country',
      'x-slipway-query',
      'x-slipway-fetch',
      'x-slipway-viewer',
      'x-slipway-wants',
    ),
    cookieBehavior: cloudfront.OriginRequestCookieBehavior.none(),
    queryStringBehavior: cloudfront.OriginRequestQueryStringBehavior.none(),
  });
}

/**
 * Keyed by path, which the edge function moves into a header, and encoding. The names of these files
 * contain a hash of their content.
 */
export function assetCache(scope: Construct): cloudfront.CachePolicy {
  return new cloudfront.CachePolicy(scope, 'AssetCache', {
    comment: 'Slipway: scripts of viewer pages, by path',
    minTtl: cdk.Duration.seconds(0),
    defaultTtl: cdk.Duration.seconds(0),
    maxTtl: cdk.Duration.days(365),
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
    headerBehavior: cloudfront.CacheHeaderBehavior.allowList('x-slipway-path'),
    cookieBehavior: cloudfront.CacheCookieBehavior.none(),
    queryStringBehavior: cloudfront.CacheQueryStringBehavior.none(),
  });
}
