import * as cdk from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { isLocal, type Settings } from '../settings.ts';
import { isReservedDomain } from '../stages/deployable.ts';

/**
 * Warns at synth while sites share cookies. One site could then set so many cookies that a visitor can
 * open no other site: CloudFront refuses requests with more than 20,480 bytes of headers.
 */
export function warnOfSharedCookies(scope: Construct, settings: Settings): void {
  const { sitesDomain, sitesDomainOnPublicSuffixList } = settings;
  if (isLocal(settings) || sitesDomainOnPublicSuffixList || isReservedDomain(sitesDomain)) return;
  cdk.Annotations.of(scope).addWarningV2(
    'slipway:sitesDomainOnPublicSuffixList',
    `${sitesDomain} is not marked as listed in the Public Suffix List. Until it is listed, one published page can set cookies that make all other sites unreachable for its visitors. docs/first-deploy.md ("Public Suffix List") explains how to add it. Then set sitesDomainOnPublicSuffixList to true.`,
  );
}
