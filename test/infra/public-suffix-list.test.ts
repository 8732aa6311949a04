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

describe('point 5: while the sites domain is not in the Public Suffix List', () => {
  test('the synthesized app warns, and says what to do', () => {
    expect(synthesize({ ...fullSettings, [listed]: false }).warnings).toEqual([
      expect.stringMatching(
        /^example\.site is not said .*docs\/first-deploy\.md.*slipway\.sitesDomainOn/,
      ),
    ]);
  });

  test.each(['sites.example.dev', 'example.site', 'notexample.com', 'example.com.de'])(
    'a deployment of %s is warned of',
    (sitesDomain) => {
      expect(warningsFor({ sitesDomain })).toHaveLength(1);
    },
  );
});

describe('point 5: nothing is warned of', () => {
  test('in an app with every setting: `npm run synth` is strict', () => {
    expect(synthesize(fullSettings).warnings).toEqual([]);
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
