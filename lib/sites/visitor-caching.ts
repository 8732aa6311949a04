import * as cdk from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';

/** Keyed by site and by what the visitor may see. MinTTL 0, or CloudFront would keep `no-store` answers. */
export function pageCache(scope: Construct): cloudfront.CachePolicy {
  return new cloudfront.CachePolicy(scope, 'PageCache', {
    comment: 'Slipway: pages, by host and what a visitor may see',
    minTtl: cdk.Duration.seconds(0),
    defaultTtl: cdk.Duration.seconds(0),
    maxTtl: cdk.Duration.days(1),
    headerBehavior: cloudfront.CacheHeaderBehavior.allowList(
      'x-slipway-host',
      'x-slipway-path',
      'x-slipway-access',
      'x-slipway-preview',
      'x-slipway-cleared',
      'x-slipway-worker',
    ),
    cookieBehavior: cloudfront.CacheCookieBehavior.none(),
    queryStringBehavior: cloudfront.CacheQueryStringBehavior.none(),
    // The gate compresses: CloudFront passes on and keys by what it makes of Accept-Encoding.
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  });
}

/** What storage does not say of large files, and says too much. */
export function mediaHeaders(scope: Construct): cloudfront.ResponseHeadersPolicy {
  return new cloudfront.ResponseHeadersPolicy(scope, 'MediaHeaders', {
    comment: 'Slipway: large files',
    securityHeadersBehavior: { contentTypeOptions: { override: true } },
    removeHeaders: ['x-amz-server-side-encryption'],
  });
}

/** What the gate is told of a visitor beside the cache key: it decides nothing that the edge keeps for others. */
export function visitorFacts(scope: Construct): cloudfront.OriginRequestPolicy {
  return new cloudfront.OriginRequestPolicy(scope, 'VisitorFacts', {
    comment: 'Slipway: who asks for a page, and how',
    headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList(
      'user-agent',
      'referer',
      'accept',
      'cloudfront-viewer-country',
      'x-slipway-query',
      'x-slipway-fetch',
      'x-slipway-viewer',
    ),
    cookieBehavior: cloudfront.OriginRequestCookieBehavior.none(),
    queryStringBehavior: cloudfront.OriginRequestQueryStringBehavior.none(),
  });
}

/** Keyed by path alone: a published version never changes, and the link itself is the permission. */
export function mediaCache(scope: Construct): cloudfront.CachePolicy {
  return new cloudfront.CachePolicy(scope, 'MediaCache', {
    comment: 'Slipway: large files, by path',
    minTtl: cdk.Duration.seconds(0),
    defaultTtl: cdk.Duration.hours(1),
    maxTtl: cdk.Duration.days(1),
    headerBehavior: cloudfront.CacheHeaderBehavior.none(),
    cookieBehavior: cloudfront.CacheCookieBehavior.none(),
    queryStringBehavior: cloudfront.CacheQueryStringBehavior.none(),
  });
}

/** Keyed by path and encoding: our own files, whose names change when they do. */
export function assetCache(scope: Construct): cloudfront.CachePolicy {
  return new cloudfront.CachePolicy(scope, 'AssetCache', {
    comment: 'Slipway: scripts of viewer pages, by path',
    minTtl: cdk.Duration.seconds(0),
    defaultTtl: cdk.Duration.seconds(0),
    maxTtl: cdk.Duration.days(365),
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
    headerBehavior: cloudfront.CacheHeaderBehavior.none(),
    cookieBehavior: cloudfront.CacheCookieBehavior.none(),
    queryStringBehavior: cloudfront.CacheQueryStringBehavior.none(),
  });
}
