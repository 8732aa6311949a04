import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { type ViewerRequestFile, viewerRequestCode } from './viewer-request-code.ts';

/** A CloudFront function that runs for every request before the cache lookup; `file` is in this folder. */
export function viewerRequestFunction(
  scope: Construct,
  file: ViewerRequestFile,
  busyPage = true,
): cloudfront.Function {
  return new cloudfront.Function(scope, 'ViewerRequest', {
    runtime: cloudfront.FunctionRuntime.JS_2_0,
    code: cloudfront.FunctionCode.fromInline(viewerRequestCode(file, busyPage)),
    comment: `Slipway: ${file}`,
  });
}

/**
 * Errors that CloudFront would cache for ten seconds, whatever their headers say (CloudFront guide,
 * "How CloudFront caches HTTP 4xx and 5xx status codes"). They are not cached, because one caller's
 * error must not be sent to another.
 */
export const uncachedErrors = [405, 500, 502, 503, 504];

/**
 * The newest security policy that still speaks TLS 1.2. A distribution without a certificate of its own
 * has CloudFront's default one, whose policy is always TLSv1.
 */
export const viewerTls = cloudfront.SecurityPolicyProtocol.TLS_V1_2_2025;
