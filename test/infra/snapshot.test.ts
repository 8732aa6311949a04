import { expect, test } from '@jest/globals';
import { fullSettings, localSettings, synthesize } from './synthesize.ts';

/** Hashes of bundles change with every source file; nothing else may change unseen. */
function withoutAssetHashes(template: unknown): unknown {
  return JSON.parse(JSON.stringify(template).replaceAll(/[0-9a-f]{64}/g, '<hash>'));
}

test.each([
  ['no settings', {}],
  ['every setting', fullSettings],
  ['the local cloud', localSettings],
])('templates for %s are as reviewed', (_, settings) => {
  const { data, service } = synthesize(settings, { validate: settings === fullSettings });
  expect(withoutAssetHashes(data)).toMatchSnapshot('data');
  expect(withoutAssetHashes(service)).toMatchSnapshot('service');
});
