import * as cdk from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import {
  type FrontPage,
  type ViewerRequestFile,
  viewerRequestCode,
  viewerResponseCode,
} from './viewer-request-code.ts';

/** A CloudFront function that runs for every request before the cache lookup; `file` is in this folder. */
export function viewerRequestFunction(
  scope: Construct,
  file: ViewerRequestFile,
  frontPage?: FrontPage,
): cloudfront.Function {
  return new cloudfront.Function(scope, 'ViewerRequest', {
    runtime: cloudfront.FunctionRuntime.JS_2_0,
    code: cloudfront.FunctionCode.fromInline(viewerRequestCode(file, frontPage)),
    comment: `Slipway: ${file}`,
  });
}

/** A CloudFront function that restores the challenges of refusals before a client sees them. */
export function viewerResponseFunction(scope: Construct): cloudfront.Function {
  return new cloudfront.Function(scope, 'ViewerResponse', {
    runtime: cloudfront.FunctionRuntime.JS_2_0,
    code: cloudfront.FunctionCode.fromInline(viewerResponseCode()),
    comment: 'Slipway: app-viewer-response.js',
  });
}

/**
 * Errors that CloudFront would cache for ten seconds, whatever their headers say (CloudFront guide,
 * "How CloudFront caches HTTP 4xx and 5xx status codes"). They are not cached, because one caller's
 * error must not be sent to another.
 */
export const uncachedErrors = [405, 500, 502, 503, 504];

/**
 * `Strict-Transport-Security` for a year (RFC 6797 §6.1) at hosts that are ours alone. It says nothing of
 * hosts beneath, which a company may have for other things.
 */
export const httpsOnly: cloudfront.ResponseHeadersStrictTransportSecurity = {
  accessControlMaxAge: cdk.Duration.seconds(31_536_000),
  override: true,
};

/** The rules of cdk-nag that these distributions break on purpose. */
export function acceptEdgeFindings(
  distribution: Construct,
  has: { firewall: boolean; certificate: boolean },
): void {
  const validations = cdk.Validations.of(distribution);
  validations.acknowledge(
    { id: 'AwsSolutions-CFR1', reason: 'Links are shared with everybody, in every country.' },
    {
      id: 'AwsSolutions-CFR3',
      reason:
        'The rule knows the older log only, whose fields include addresses. EdgeLogs writes the newer one (setting edgeLogs).',
    },
  );
  if (!has.firewall) {
    validations.acknowledge({
      id: 'AwsSolutions-CFR2',
      reason: 'The firewall costs at least $6 a month, so it is a setting (waf).',
    });
  }
  if (!has.certificate) {
    validations.acknowledge({
      id: 'AwsSolutions-CFR4',
      reason:
        'Without a certificate CloudFront uses its own, for which it decides the version of TLS. An output asks for a certificate.',
    });
  }
}

/**
 * The newest security policy that still speaks TLS 1.2. A distribution without a certificate of its own
 * has CloudFront's default one, whose policy is always TLSv1.
 */
export const viewerTls = cloudfront.SecurityPolicyProtocol.TLS_V1_2_2025;
