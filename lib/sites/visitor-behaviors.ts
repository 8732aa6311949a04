import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import type { LargeFileUse } from '../../contract/visits/large-file-fields.ts';
import { openPath } from '../../contract/visits/open-path.ts';
import { viewerRequestFunction } from '../edge/distribution-parts.ts';
import { appOrigin, hostName, type Settings } from '../settings.ts';
import {
  assetCache,
  gateHeaders,
  largeFileHeaders,
  pageCache,
  visitorRequestPolicy,
} from './visitor-caching.ts';

const READS = ['GET', 'HEAD'];
/** CloudFront accepts no other methods in a behavior with an origin group. */
const READS_AND_PREFLIGHTS = [...READS, 'OPTIONS'];
const ALL_METHODS = [...READS_AND_PREFLIGHTS, 'PUT', 'PATCH', 'POST', 'DELETE'];

function edgeFunction(scope: Construct, settings: Settings) {
  const frontPage = {
    sitesHost: hostName(settings.sitesDomain),
    url: `${appOrigin(settings)}/`,
  };
  const { functionArn } = viewerRequestFunction(scope, 'viewer-request.js', frontPage);
  return { eventType: 'viewer-request', functionArn };
}

/** Maps paths to origins and cache policies. The first pattern that matches wins. */
export function visitorBehaviors(scope: Construct, { settings }: { settings: Settings }) {
  const shared = {
    viewerProtocolPolicy: 'redirect-to-https',
    compress: false,
    functionAssociations: [edgeFunction(scope, settings)],
  };
  const gateDefaults = {
    ...shared,
    // The edge function passes on only GET and HEAD.
    allowedMethods: READS_AND_PREFLIGHTS,
    cachedMethods: READS,
    cachePolicyId: pageCache(scope).cachePolicyId,
    originRequestPolicyId: visitorRequestPolicy(scope).originRequestPolicyId,
    responseHeadersPolicyId: gateHeaders(scope).responseHeadersPolicyId,
  };
  return {
    defaultCacheBehavior: { ...gateDefaults, targetOriginId: 'gate-or-busy' },
    cacheBehaviors: [
      ...largeFileBehaviors(scope, gateDefaults),
      ...streamBehaviors(gateDefaults),
      {
        ...shared,
        pathPattern: '/_slipway/assets/*',
        targetOriginId: 'assets-or-busy',
        allowedMethods: READS,
        cachedMethods: READS,
        cachePolicyId: assetCache(scope).cachePolicyId,
      },
      // Reports of opens. The answer is `no-store` and the minimum TTL is 0, so each reaches the
      // gate, as page views do.
      { ...gateDefaults, pathPattern: openPath, targetOriginId: 'gate-or-busy' },
      formsBehavior(shared),
    ],
  };
}

/**
 * The edge function puts the function that decides and storage into a group. Keyed as pages are: simultaneous
 * requests for one object are one request to the origin, so nobody gets what another visitor may see.
 */
function largeFileBehaviors<T>(scope: Construct, gateDefaults: T) {
  const behavior = (use: LargeFileUse, targetOriginId: string) => ({
    ...gateDefaults,
    pathPattern: `/_slipway/${use}/*`,
    targetOriginId,
    responseHeadersPolicyId: largeFileHeaders(scope, use).responseHeadersPolicyId,
  });
  return [behavior('files', 'gate'), behavior('isolated', 'gate'), behavior('download', 'streams')];
}

/** Same policies as the gate. Its responses are `no-store`. */
function streamBehaviors<T>(gateDefaults: T) {
  return ['/_slipway/zip', '/_slipway/zip/*', '/_slipway/own/*'].map((pathPattern) => ({
    ...gateDefaults,
    pathPattern,
    targetOriginId: 'streams-or-busy',
  }));
}

/** Forwards all cookies: CloudFront removes `Set-Cookie` from responses when it forwards none. */
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
