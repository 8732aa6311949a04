import { describe, expect, test } from '@jest/globals';
import { defaultPlans } from '../../contract/plans.ts';
import { parseSettings } from '../../lib/settings.ts';
import { localSettings } from './synthesize.ts';

describe('settings', () => {
  test('are all optional: the defaults are valid', () => {
    expect(parseSettings(undefined)).toMatchObject({
      appDomain: 'app.example.com',
      sitesDomain: 'sites.example.net',
      signUpPolicy: 'open',
      defaultPlan: 'free',
      trialDays: 7,
      keyPrefix: 'sw',
      brand: 'Slipway',
      waf: false,
      signInMailsPerHour: 3,
      tempUploads: { perMinute: 3, perHour: 5 },
      plans: defaultPlans,
    });
  });

  test('take the addresses of the local cloud', () => {
    expect(parseSettings(localSettings)).toMatchObject(localSettings);
  });

  test.each(['https://example.org', 'https://example.org/plans?a=@b#c', 'sales@example.org'])(
    'take %s as where to upgrade',
    (upgradeUrl) => {
      expect(parseSettings({ upgradeUrl }).upgradeUrl).toBe(upgradeUrl);
    },
  );

  test('can change one number of one plan', () => {
    const { plans } = parseSettings({ plans: { free: { maxProjects: 1 } } });
    expect(plans).toEqual({ ...defaultPlans, free: { ...defaultPlans.free, maxProjects: 1 } });
  });

  test.each([
    ['a misspelt name', { appDomian: 'app.example.org' }, 'appDomian'],
    ['an address instead of a host', { appDomain: 'https://app.example.org' }, 'appDomain'],
    ['a port outside of the local cloud', { sitesDomain: 'example.org:8787' }, 'port'],
    ['sites under the app', { sitesDomain: 'sites.app.example.com' }, 'cookies'],
    ['the app under sites', { appDomain: 'app.sites.example.net' }, 'cookies'],
    ['one domain for both', { appDomain: 'a.example', sitesDomain: 'a.example' }, 'cookies'],
    [
      'a certificate of another region',
      { appCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/a1' },
      'us-east-1',
    ],
    ['a sender that is no address', { mailFrom: 'example.org' }, 'mailFrom'],
    ['a contact that nobody can use', { securityContact: 'me' }, 'securityContact'],
    ['an upgrade page without TLS', { upgradeUrl: 'http://example.org' }, 'upgradeUrl'],
    ['an upgrade address that nobody can use', { upgradeUrl: 'sales' }, 'upgradeUrl'],
    ['a page without TLS', { policies: { security: 'http://example.org' } }, 'policies.security'],
    ['a retention that CloudWatch has not', { logRetentionDays: 8 }, 'logRetentionDays'],
    ['a key before the first', { apiKeyGeneration: 0 }, 'apiKeyGeneration'],
    ['a plan that is none', { plans: { gold: {} } }, 'gold'],
    ['a limit below unlimited', { plans: { free: { maxProjects: -2 } } }, 'maxProjects'],
    ['a budget without a recipient', { monthlyBudget: 20 }, 'alarmEmail'],
    ['a budget of nothing', { monthlyBudget: 0, alarmEmail: 'a@example.org' }, 'monthlyBudget'],
    ['backups of no day', { backupDays: 0 }, 'backupDays'],
    ['a policy that is none', { signUpPolicy: 'maybe' }, 'signUpPolicy'],
    ['an upper-case key prefix', { keyPrefix: 'SW' }, 'keyPrefix'],
    [
      'a page that leads to itself',
      { appDomain: 'app.example.org', policies: { privacy: 'https://app.example.org/privacy/' } },
      'policies.privacy',
    ],
    ...[
      'https://user:secret@example.org',
      'https://user@example.org',
      'https://@example.org',
      'https://example.org/a\nb',
      'https://example.org/a\tb',
      'https://example.org/\0',
      'https://example.org/a b',
      'https://example.org/\u202Efdp',
      'https://example.org\\@other.example',
      `https://example.org/${'a'.repeat(2000)}`,
      'https:example.org',
      'https:/example.org',
      'https:///example.org',
      ' https://example.org',
    ].map(
      (upgradeUrl) =>
        [`the upgrade page ${JSON.stringify(upgradeUrl)}`, { upgradeUrl }, 'upgradeUrl'] as const,
    ),
  ])('refuse %s and say which', (_, input, named) => {
    expect(() => parseSettings(input)).toThrow(named);
  });
});
