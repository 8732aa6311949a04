import { describe, expect, test } from '@jest/globals';
import { type EnvironmentName, environmentSchemas } from '../../contract/environment.ts';
import { functionNames } from '../../lib/functions/function-names.ts';
import { allowedActions, functionNamed } from './functions.ts';
import { fullSettings, type Json, localSettings, named, ofType, synthesize } from './synthesize.ts';

const environmentNames = Object.keys(environmentSchemas);

/** Each variable that names a resource, and how the permissions on this resource begin. */
const resources: Partial<Record<EnvironmentName, RegExp>> = {
  SITES_TABLE: /^sites dynamodb/,
  PROJECTS_TABLE: /^projects (?:by owner |by due )?dynamodb/,
  COUNTERS_TABLE: /^counters /,
  CODES_TABLE: /^codes /,
  ACCOUNTS_TABLE: /^accounts /,
  OAUTH_TABLE: /^oauth /,
  ANALYTICS_TABLE: /^analytics /,
  CONTENT_BUCKET: /^(?:bucket|content\/\*|temp\/\*) /,
  WEB_APP_BUCKET: /^web app /,
  HITS_QUEUE_URL: /^hits queue sqs:Send/,
  UPLOAD_QUEUE_URL: /^upload queue sqs:Send/,
  MAIL_CONFIGURATION_SET: /^configuration set /,
  WEBHOOK_QUEUE_URL: /^webhook queue sqs:Send/,
  SITES_TENANT_ID: /^sites tenant /,
  VISITOR_DISTRIBUTION_ID: /^everything cloudfront:CreateDistributionTenant/,
  CONNECTION_GROUP_ID: /^everything cloudfront:CreateDistributionTenant/,
  ORIGIN_SECRET_ARN: /^origin secret /,
  CODE_SECRET_ARN: /^code secret /,
  ACCESS_SECRET_ARN: /^access secret /,
};

describe('the variables of a function', () => {
  // The snapshot has them all. A function that lacks one fails in the local cloud.
  test.each(functionNames.filter((name) => name !== 'api-keys'))(
    '%s: it has the name of a resource if it may use the resource, and only then',
    (name) => {
      const { Variables } = functionNamed(name).Properties['Environment'];
      const allowed = allowedActions(name);
      const may = Object.entries(resources).filter(([, pattern]) =>
        allowed.some((action) => pattern.test(action)),
      );
      expect(Object.keys(resources).filter((variable) => variable in Variables)).toEqual(
        may.map(([variable]) => variable),
      );
    },
  );

  test('name each resource of the contract', () => {
    const named = environmentNames.filter((name) =>
      /_(?:TABLE|BUCKET|QUEUE_URL|SECRET|SECRET_ARN)$/.test(name),
    );
    expect(named.filter((name) => !(name in resources))).toEqual([]);
  });

  test('of the function that makes the first secrets are none: it gets their places in its events', () => {
    const { Variables } = functionNamed('api-keys').Properties['Environment'];
    expect(Object.keys(Variables).filter((name) => name in resources)).toEqual([]);
  });

  test.each([
    [{}, 'https://app.example.com', 'sites.example.net'],
    [
      { appDomain: 'localhost:8787', sitesDomain: 'sites.localhost:8787' },
      'http://localhost:8787',
      'sites.localhost:8787',
    ],
  ])('the addresses, with their ports', async (settings, base, sites) => {
    const { service: own } = await synthesize(settings);
    const fn = named(own, 'AWS::Lambda::Function', 'Gate').Properties;
    expect(fn.Environment.Variables).toMatchObject({ BASE_URL: base, SITES_DOMAIN: sites });
  });

  test.each([
    ['no settings', {}],
    ['every setting', fullSettings],
    ['the local cloud', localSettings],
  ])('ARNs of secrets, never their values: %s', async (_, settings) => {
    const { service: own } = await synthesize(settings);
    const made = ofType(own, 'AWS::Lambda::Function');
    expect(made).toHaveLength(functionNames.length);
    for (const { Properties } of made) {
      expect(JSON.stringify(Properties)).not.toContain('{{resolve:');
    }
  });

  test('the header of CloudFront is the only value of a secret in any resource', async () => {
    const { data, service: own } = await synthesize(fullSettings);
    const resources = { ...data.Resources, ...own.Resources };
    const withValues = Object.values(resources).filter((resource) =>
      JSON.stringify(resource).includes('{{resolve:'),
    );
    expect(withValues.map(({ Type }) => Type)).toEqual(
      Array(2).fill('AWS::CloudFront::Distribution'),
    );
    for (const { Properties } of withValues) {
      const headers = Properties.DistributionConfig.Origins.flatMap(
        ({ OriginCustomHeaders = [] }: Json) => OriginCustomHeaders,
      ).filter(({ HeaderName }: Json) => HeaderName !== 'x-api-key');
      const inHeaders = JSON.stringify(headers).split('{{resolve:').length;
      expect(headers.map(({ HeaderName }: Json) => HeaderName)).toEqual(['x-slipway-origin']);
      expect(JSON.stringify(Properties).split('{{resolve:')).toHaveLength(inHeaders);
    }
  });
});
