import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { viewerRequestFunction } from '../edge/viewer-request-function.ts';
import {
  assetCache,
  mediaCache,
  mediaHeaders,
  pageCache,
  visitorFacts,
} from './visitor-caching.ts';

const READS = ['GET', 'HEAD'];
const ALL_METHODS = [...READS, 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'];

/** Which origin answers what, and what the edge keeps of it; the first pattern that fits counts. */
export function visitorBehaviors(scope: Construct, mediaKeys: cloudfront.KeyGroup) {
  const shared = {
    viewerProtocolPolicy: 'redirect-to-https',
    compress: false,
    functionAssociations: [
      {
        eventType: 'viewer-request',
        functionArn: viewerRequestFunction(scope, 'viewer-request.js').functionArn,
      },
    ],
  };
  const decided = {
    ...shared,
    // All of them, so that the edge function answers 405 in our words; it lets only reads through.
    allowedMethods: ALL_METHODS,
    cachedMethods: READS,
    cachePolicyId: pageCache(scope).cachePolicyId,
    originRequestPolicyId: visitorFacts(scope).originRequestPolicyId,
  };
  return {
    defaultCacheBehavior: { ...decided, targetOriginId: 'gate' },
    cacheBehaviors: [
      {
        ...shared,
        pathPattern: '/_slipway/media/*',
        targetOriginId: 'media',
        allowedMethods: READS,
        cachedMethods: READS,
        cachePolicyId: mediaCache(scope).cachePolicyId,
        responseHeadersPolicyId: mediaHeaders(scope).responseHeadersPolicyId,
        trustedKeyGroups: [mediaKeys.keyGroupId],
      },
      // The function is told what the gate is told, and its answers are never kept.
      { ...decided, pathPattern: '/_slipway/zip', targetOriginId: 'zip' },
      { ...decided, pathPattern: '/_slipway/zip/*', targetOriginId: 'zip' },
      {
        ...shared,
        pathPattern: '/_slipway/assets/*',
        targetOriginId: 'assets',
        allowedMethods: READS,
        cachedMethods: READS,
        cachePolicyId: assetCache(scope).cachePolicyId,
      },
      formsBehavior(shared),
    ],
  };
}

/** Its policies let every cookie through: CloudFront drops `Set-Cookie` where they forward none. */
function formsBehavior<T>(shared: T) {
  return {
    ...shared,
    pathPattern: '/_slipway/*',
    targetOriginId: 'forms',
    allowedMethods: ALL_METHODS,
    cachedMethods: READS,
    cachePolicyId: cloudfront.CachePolicy.CACHING_DISABLED.cachePolicyId,
    // API Gateway answers 403 to a `Host` that is not its own.
    originRequestPolicyId:
      cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER.originRequestPolicyId,
  };
}
