import { describe, expect, test } from '@jest/globals';
import { plannedRecords } from '../../bin/doctor/zone-diagnoses.ts';
import { policiesOfStage } from '../../bin/doctor/account-diagnoses.ts';
import { parseSettings } from '../../lib/settings.ts';
import { fullSettings, type Json, ofType, onlyOf, synthesize } from './synthesize.ts';

const zones = {
  ...fullSettings,
  appCertificateArn: undefined,
  sitesCertificateArn: undefined,
  appZone: { id: 'ZAPP', name: 'example.org' },
  sitesZone: { id: 'ZSITES', name: 'example.site' },
};
const { service } = await synthesize(zones);
const { service: byHand } = await synthesize(fullSettings);

const records = ofType(service, 'AWS::Route53::RecordSet').map(({ Properties }) => Properties);
const recordsOf = (name: string) => records.filter((record) => record.Name === name);
const typesOf = (name: string) => recordsOf(name).map(({ Type }) => Type);

describe('with hosted zones', () => {
  test('the stack makes both certificates and validates them in their zones', () => {
    const certificates = ofType(service, 'AWS::CertificateManager::Certificate');
    expect(certificates.map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({
        DomainName: 'app.example.org',
        ValidationMethod: 'DNS',
        DomainValidationOptions: [{ DomainName: 'app.example.org', HostedZoneId: 'ZAPP' }],
      }),
      expect.objectContaining({
        DomainName: '*.example.site',
        SubjectAlternativeNames: ['example.site'],
        // One record validates both names.
        DomainValidationOptions: [{ DomainName: 'example.site', HostedZoneId: 'ZSITES' }],
      }),
    ]);
  });

  test('the distributions and the tenant use them', () => {
    const ids = Object.entries(service.Resources)
      .filter(([, { Type }]) => Type === 'AWS::CertificateManager::Certificate')
      .map(([id]) => ({ Ref: id }));
    const certificatesOf = ofType(service, 'AWS::CloudFront::Distribution').map(
      ({ Properties }) => Properties.DistributionConfig.ViewerCertificate.AcmCertificateArn,
    );
    expect(new Set(certificatesOf.map((ref: Json) => ref.Ref))).toEqual(
      new Set(ids.map(({ Ref }) => Ref)),
    );
    const tenant = onlyOf(service, 'AWS::CloudFront::DistributionTenant').Properties;
    expect(ids).toContainEqual(tenant.Customizations.Certificate.Arn);
  });

  test('`doctor` looks for each of its records before the first deployment, except those of DKIM', () => {
    const planned = plannedRecords(parseSettings(zones)).flatMap(({ zoneId, name, types }) =>
      types.map((type) => `${zoneId} ${name}. ${type}`),
    );
    const made = records
      .filter(({ Name }) => typeof Name === 'string')
      .map(({ HostedZoneId, Name, Type }) => `${HostedZoneId} ${Name} ${Type}`);
    expect(made.length).toBeGreaterThan(6);
    expect(planned.toSorted()).toEqual(made.toSorted());
  });

  test('it has no more policies of a kind than `doctor` keeps room for', () => {
    for (const kind of ['CachePolicy', 'ResponseHeadersPolicy', 'OriginRequestPolicy']) {
      const count = ofType(service, `AWS::CloudFront::${kind}`).length;
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThanOrEqual(policiesOfStage);
    }
  });

  test.each([
    ['app.example.org.', 'ZAPP'],
    ['*.example.site.', 'ZSITES'],
    ['example.site.', 'ZSITES'],
  ])('%s leads to CloudFront over IPv4 and IPv6', (name, zone) => {
    expect(new Set(typesOf(name))).toEqual(new Set(['A', 'AAAA']));
    for (const { HostedZoneId, AliasTarget } of recordsOf(name)) {
      expect(HostedZoneId).toBe(zone);
      expect(JSON.stringify(AliasTarget.HostedZoneId)).toContain('HostedZoneIdMap');
    }
  });

  test('mail has DKIM, a domain of its own for bounces with SPF, and DMARC', () => {
    expect(records.filter(({ Type }) => Type === 'CNAME')).toHaveLength(3);
    expect(new Set(typesOf('bounces.mail.example.org.'))).toEqual(new Set(['MX', 'TXT']));
    expect(recordsOf('_dmarc.mail.example.org.')).toMatchObject([
      { HostedZoneId: 'ZAPP', ResourceRecords: ['"v=DMARC1; p=none"'] },
    ]);
    expect(onlyOf(service, 'AWS::SES::EmailIdentity').Properties).toMatchObject({
      EmailIdentity: 'mail.example.org',
      MailFromAttributes: { MailFromDomain: 'bounces.mail.example.org' },
    });
    expect(Object.keys(service.Outputs).filter((name) => name.includes('Dkim'))).toEqual([]);
  });

  test('mail from another domain keeps its records as outputs', async () => {
    const { service: other } = await synthesize({ ...zones, mailFrom: 'hello@harbour.dev' });
    expect(Object.keys(other.Outputs).filter((name) => name.includes('Dkim'))).toHaveLength(3);
    expect(JSON.stringify(ofType(other, 'AWS::Route53::RecordSet'))).not.toContain('harbour.dev');
  });
});

test('without zones nothing is written to DNS', () => {
  expect(ofType(byHand, 'AWS::Route53::RecordSet')).toEqual([]);
  expect(ofType(byHand, 'AWS::CertificateManager::Certificate')).toEqual([]);
});

test.each([
  [{ appZone: { id: 'ZAPP' } }, 'appZone.name'],
  [{ sitesZone: { name: 'example.net' } }, 'sitesZone.id'],
  [{ appZone: { id: 'ZAPP', name: 'other.org' } }, 'must be app.example.com or a domain above'],
  [{ appZone: { id: 'app', name: 'example.com' } }, 'must be the id of a Route 53 hosted zone'],
])('zones %j are refused', (settings, sentence) => {
  expect(() => parseSettings(settings)).toThrow(sentence);
});
