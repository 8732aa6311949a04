import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Settings, settingsSchema } from '../../lib/settings.ts';

const page = readFileSync('docs/settings.md', 'utf8');

/** Every setting of the page with its default. A row may have several settings, and one default for each or for all. */
const documented = [
  ...page.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| ([^|]+) \| \S[^|]* \|$/gm),
].flatMap(([, names = '', cell = '']) => {
  const settings = names.split(', ').map((name) => name.slice(1, -1));
  const cells = settings.length === 1 ? [cell] : cell.split(', ');
  return settings.map((name, at) => [name, cells[at] ?? cell] as const);
});

/** Defaults that the schema does not have: what a stage in AWS has to say itself, and what is too long for a table. */
const described: Readonly<Record<string, string>> = {
  appDomain: 'required',
  sitesDomain: 'required',
  appCertificateArn: 'required without a zone',
  sitesCertificateArn: 'required without a zone',
  mailFrom: 'required',
  mailIdentity: '`domain`',
  plans: 'the published table',
  policies: 'none',
  ciIssuers: 'GitHub and GitLab',
  throttles: 'see `lib/setting-values.ts`',
};

const defaults = new Map<string, unknown>(Object.entries(Settings.parse({})));

function expectedCell(name: string): string {
  const value = defaults.get(name);
  if (described[name] !== undefined) return described[name];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `\`${typeof value === 'object' ? text.replaceAll(/[:,]/g, '$& ') : text}\``;
}

test('docs/settings.md has every setting of the schema once, with its default, and no other', () => {
  const names = Object.keys(settingsSchema().properties ?? {});
  expect(names.length).toBeGreaterThan(20);
  expect(documented.toSorted(byName)).toEqual(
    names.map((name) => [name, expectedCell(name)] as const).toSorted(byName),
  );
});

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}
