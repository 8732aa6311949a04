import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import { hostName, type Settings } from '../settings.ts';
import type { Zones } from './zones.ts';

/** The ARNs of the certificates; undefined where a domain has neither a certificate nor a zone. */
export interface Certificates {
  app: string | undefined;
  sites: string | undefined;
}

/**
 * The given certificates, and new ones for domains whose zone is known. CloudFormation writes the
 * records that validate a new one and waits until it is issued, which takes minutes in a delegated
 * zone.
 */
export function certificatesFor(scope: Construct, settings: Settings, zones: Zones): Certificates {
  const { appDomain, sitesDomain, appCertificateArn, sitesCertificateArn } = settings;
  const create = (id: string, names: [string, ...string[]], zone: Zones['app']) =>
    zone === undefined
      ? undefined
      : new acm.Certificate(scope, id, {
          domainName: names[0],
          ...(names.length > 1 && { subjectAlternativeNames: names.slice(1) }),
          validation: acm.CertificateValidation.fromDns(zone),
        }).certificateArn;
  return {
    app: appCertificateArn ?? create('AppCertificate', [hostName(appDomain)], zones.app),
    sites:
      sitesCertificateArn ??
      create(
        'SitesCertificate',
        [`*.${hostName(sitesDomain)}`, hostName(sitesDomain)],
        zones.sites,
      ),
  };
}
