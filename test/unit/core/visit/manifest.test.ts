import { expect, test } from '@jest/globals';
import { contentHash } from '../../../../core/content/content-keys.ts';
import {
  decodeManifest,
  encodeManifest,
  maxInlineManifestBytes,
} from '../../../../core/visit/manifest.ts';

const manifestOf = (count: number) =>
  new Map(
    Array.from({ length: count }, (_, index) => {
      const path = `section-${index % 40}/page-${index}/index.html`;
      return [path, { size: index, hash: contentHash(Buffer.from(path)) }] as const;
    }),
  );

test('a manifest reads back as it was written', () => {
  const manifest = manifestOf(100);
  expect(decodeManifest(encodeManifest(manifest))).toEqual(manifest);
});

test('a site of 2,000 files still fits into its serving record', () => {
  expect(encodeManifest(manifestOf(2000)).length).toBeLessThan(maxInlineManifestBytes);
});
