import { describe, expect, test } from '@jest/globals';
import * as cdk from 'aws-cdk-lib';
import { warnOfSharedCookies } from '../../lib/sites/public-suffix-list.ts';
import { parseSettings } from '../../lib/settings.ts';
import { fullSettings, localSettings, synthesize } from './synthesize.ts';

const listed = 'sitesDomainOnPublicSuffixList';

function warningsFor(input: unknown): unknown[] {
  const stack = new cdk.Stack();
  warnOfSharedCookies(stack, parseSettings(input));
  return stack.node.metadata
    .filter(({ type }) => type === 'aws:cdk:warning')
    .map(({ data }) => data);
}

describe('while the sites domain is not in the Public Suffix List', () => {
  test('the synthesized app warns, and says what to do', async () => {
    const { warnings } = await synthesize({ ...fullSettings, [listed]: false });
    expect(warnings).toEqual([
      expect.stringMatching(
        /^example\.site is not marked as listed .*docs\/first-deploy\.md.*sitesDomainOn/,
      ),
    ]);
  });

  test.each(['sites.example.dev', 'example.site', 'notexample.com', 'example.com.de'])(
    'an installation of %s is warned of',
    (sitesDomain) => {
      expect(warningsFor({ sitesDomain })).toHaveLength(1);
    },
  );
});

describe('there are no warnings', () => {
  test('in an app with every setting: `npm run synth` is strict', async () => {
    expect((await synthesize(fullSettings)).warnings).toEqual([]);
  });

  test.each([
    ['the default', {}],
    ['the local cloud', localSettings],
    ['a domain that is in the list', { sitesDomain: 'example.site', [listed]: true }],
    ['a domain of documentation', { sitesDomain: 'sites.example' }],
    ['a domain of tests', { sitesDomain: 'sites.test' }],
  ])('for %s', (_, input) => {
    expect(warningsFor(input)).toEqual([]);
  });
});
