import { expect, test } from '@jest/globals';
import { proofSize } from '../fixtures/proof-size.ts';
import { fullSettings, localSettings, synthesize, synthesizeNow } from './synthesize.ts';

/** A template with sorted keys. Hashes of bundles change with every source file; nothing else may change unseen. */
function normalized(template: unknown): unknown {
  const text = JSON.stringify(template, (_, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return JSON.parse(text.replaceAll(/[0-9a-f]{64}/g, '<hash>'));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What `other` has otherwise, field by field. Of a list: the items that only one of the two has. */
function differences(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return listDifferences(one, other);
  if (!isObject(one) || !isObject(other)) return other;
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    keys
      .filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]))
      .map((key) => [key, key in other ? differences(one[key], other[key]) : '<none>']),
  );
}

function listDifferences(one: unknown[], other: unknown[]): unknown {
  const without = (list: unknown[], rest: unknown[]) => {
    const texts = new Set(rest.map((item) => JSON.stringify(item)));
    return list.filter((item) => !texts.has(JSON.stringify(item)));
  };
  const [removed, added] = [without(one, other), without(other, one)];
  return removed.length + added.length === 0 ? other : { removed, added };
}

/** JSON in which a value that fits on a line has one. */
function layOut(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  if (indent.length + line.length <= 100 || typeof value !== 'object' || value === null)
    return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = Array.isArray(value)
    ? value.map((item) => layOut(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${layOut(item, inner)}`);
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

// `npm run synth` applies the CDK's own rules to the examples; those take 12 seconds of processor time.
const validate = proofSize({ short: false, whole: true });
const { data, service } = await synthesizeNow(fullSettings, { validate });
const full = { data: normalized(data), service: normalized(service) };

test('templates with every setting are as reviewed', () => {
  expect(layOut(full.data)).toMatchSnapshot('data');
  expect(layOut(full.service)).toMatchSnapshot('service');
});

const { appDomain, sitesDomain, sitesDomainOnPublicSuffixList } = fullSettings;

test.each([
  ['the domains alone', { appDomain, sitesDomain, sitesDomainOnPublicSuffixList }],
  ['the settings of the local cloud', localSettings],
])('templates with %s differ from those as reviewed', async (_, settings) => {
  const other = await synthesize(settings);
  expect(layOut(differences(full.data, normalized(other.data)))).toMatchSnapshot('data');
  expect(layOut(differences(full.service, normalized(other.service)))).toMatchSnapshot('service');
});
