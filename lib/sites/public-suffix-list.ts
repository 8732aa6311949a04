import * as cdk from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { isLocal, type Settings } from '../settings.ts';

/** Names that nobody can register (RFC 2606 §2 and §3, RFC 6761 §6.3), so a deployment has another one. */
const reservedDomain = /(^|\.)(example\.(com|net|org)|example|test|invalid|localhost)$/;

/**
 * Warns at synth while sites share cookies: those of one site can then shut a visitor out of all others,
 * because CloudFront refuses requests over 20,480 bytes of headers before anything of ours runs.
 */
export function warnOfSharedCookies(scope: Construct, settings: Settings): void {
  const { sitesDomain, sitesDomainOnPublicSuffixList } = settings;
  if (isLocal(settings) || sitesDomainOnPublicSuffixList || reservedDomain.test(sitesDomain))
    return;
  cdk.Annotations.of(scope).addWarningV2(
    'slipway:sitesDomainOnPublicSuffixList',
    `${sitesDomain} is not said to be in the Public Suffix List. Until it is, one published page can set cookies that make all other sites unreachable for its visitors. docs/first-deploy.md ("Public Suffix List") says how to add it; then set slipway.sitesDomainOnPublicSuffixList to true.`,
  );
}
