import { expect, test } from '@jest/globals';
import { decideVisit } from '../../../../core/visit/decide-visit.ts';
import type { FileEntry } from '../../../../core/visit/manifest.ts';
import { aSite, aVisit, someAddresses } from '../../../fixtures/visits/a-site.ts';

const entry: FileEntry = { size: 40_000, hash: 'hash-of-a-script', brotliBytes: 9000 };
const files = new Map([
  ['app.js', entry],
  ['index.html', entry],
]);

const decided = (path: string, acceptEncoding: string, range?: string) => {
  const conditions = range === undefined ? {} : { range };
  const visit = aVisit({ path, acceptEncoding, conditions });
  const decision = decideVisit(aSite({ analyticsEnabled: true }), files, visit, someAddresses);
  if (decision.kind !== 'file') throw new Error(`the decision is ${decision.kind}`);
  return decision.file;
};

test('a browser gets the stored brotli form of a script', () => {
  expect(decided('/app.js', 'gzip, br')).toMatchObject({ coding: 'br', isBrotli: true });
});

test.each([
  ['takes gzip alone', '/app.js', 'gzip', undefined, 'gzip'],
  ['requests a range', '/app.js', 'br', 'bytes=0-9', undefined],
  ['visits a page whose head is edited', '/', 'br', undefined, 'br'],
])('a client that %s gets the bytes of the file', (_, path, accepted, range, coding) => {
  const file = decided(path, accepted, range);
  expect(file.coding).toBe(coding);
  expect(file).not.toHaveProperty('isBrotli');
});
