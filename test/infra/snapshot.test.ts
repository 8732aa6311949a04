import { expect, test } from '@jest/globals';
import { fullSettings, localSettings, synthesize, synthesizeNow } from './synthesize.ts';

/** Hashes of bundles change with every source file; nothing else may change unseen. */
function withoutAssetHashes(template: unknown): unknown {
  return JSON.parse(JSON.stringify(template).replaceAll(/[0-9a-f]{64}/g, '<hash>'));
}

test.each([
  ['no settings', {}],
  ['every setting', fullSettings],
  ['the local cloud', localSettings],
])('templates for %s are as reviewed', async (_, settings) => {
  const isValidated = settings === fullSettings;
  const { data, service } = isValidated
    ? await synthesizeNow(settings, { validate: true })
    : await synthesize(settings);
  expect(withoutAssetHashes(data)).toMatchSnapshot('data');
  expect(withoutAssetHashes(service)).toMatchSnapshot('service');
});
