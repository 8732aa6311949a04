import { describe, expect, test } from '@jest/globals';
import { parseSettings } from '../../lib/settings.ts';
import { functions, service as full, statementsOf } from './functions.ts';
import { fullSettings, ofType, onlyOf, synthesize } from './synthesize.ts';

const { service: none } = await synthesize();

const CONFIGURATION_SET = { Ref: expect.stringMatching(/^MailConfigurationSet/) };

describe('mail', () => {
  test('is not set up without a sender', () => {
    expect(ofType(none, 'AWS::SES::EmailIdentity')).toEqual([]);
    expect(ofType(none, 'AWS::SES::ConfigurationSet')).toEqual([]);
    const actions = ofType(none, 'AWS::IAM::Policy').flatMap(statementsOf);
    expect(actions.filter(({ Action }) => [Action].flat().includes('ses:SendRawEmail'))).toEqual(
      [],
    );
  });

  test('verifies the sender’s domain, and shows the DNS records for it', () => {
    expect(onlyOf(full, 'AWS::SES::EmailIdentity').Properties.EmailIdentity).toBe(
      'mail.example.org',
    );
    const records = Object.keys(full.Outputs).filter((name) => name.includes('DkimRecord'));
    expect(records).toHaveLength(3);
  });

  test('stops mail to addresses that bounced or complained', () => {
    expect(onlyOf(full, 'AWS::SES::ConfigurationSet').Properties).toMatchObject({
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
      ReputationOptions: { ReputationMetricsEnabled: true },
    });
    const senders = functions.filter(
      ({ Properties }) => Properties.Environment?.Variables?.MAIL_FROM !== undefined,
    );
    expect(senders).toHaveLength(9);
    for (const { Properties } of senders) {
      expect(Properties.Environment.Variables).toMatchObject({
        MAIL_FROM: 'hello@mail.example.org',
        MAIL_CONFIGURATION_SET: CONFIGURATION_SET,
      });
    }
  });

  test('may go to every identity, because SES checks it in the sandbox, but from one address only', () => {
    const grants = ofType(full, 'AWS::IAM::Policy')
      .flatMap(statementsOf)
      .filter(({ Action }) => [Action].flat().includes('ses:SendRawEmail'));
    const identities = grants.filter(({ Resource }) =>
      JSON.stringify(Resource).includes(':identity/*'),
    );
    expect(identities).toHaveLength(9);
    for (const { Condition } of identities) {
      expect(Condition).toEqual({
        StringEqualsIgnoreCase: { 'ses:FromAddress': 'hello@mail.example.org' },
      });
    }
    const others = grants.filter((grant) => !identities.includes(grant));
    expect(others).toHaveLength(9);
    for (const { Resource } of others) {
      expect(JSON.stringify(Resource)).toContain(':configuration-set/');
    }
  });

  test.each([
    ['BounceRate', 0.05],
    ['ComplaintRate', 0.001],
  ])('raises an alarm at the %s at which AWS reviews an account', (name, Threshold) => {
    const found = ofType(full, 'AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
    expect(found.filter(({ MetricName }) => MetricName === `Reputation.${name}`)).toEqual([
      expect.objectContaining({
        Namespace: 'AWS/SES',
        Dimensions: [{ Name: 'ses:configuration-set', Value: CONFIGURATION_SET }],
        Threshold,
        TreatMissingData: 'ignore',
      }),
    ]);
  });
});

describe('the identity of the sender', () => {
  test('is the address alone if the settings say so', async () => {
    const { service } = await synthesize({ ...fullSettings, mailIdentity: 'address' });
    expect(onlyOf(service, 'AWS::SES::EmailIdentity').Properties.EmailIdentity).toBe(
      'hello@mail.example.org',
    );
    expect(Object.keys(service.Outputs).filter((name) => name.includes('Dkim'))).toEqual([]);
  });

  test('is not created if it exists already; everything else is unchanged', async () => {
    const { service } = await synthesize({ ...fullSettings, mailIdentity: 'existing' });
    expect(ofType(service, 'AWS::SES::EmailIdentity')).toEqual([]);
    onlyOf(service, 'AWS::SES::ConfigurationSet');
  });

  test('needs a sender', () => {
    expect(() => parseSettings({ mailIdentity: 'existing' })).toThrow('set `mailFrom`');
    expect(() => parseSettings({ mailFrom: 'a@example.org', mailIdentity: 'both' })).toThrow(
      'mailIdentity',
    );
  });
});
