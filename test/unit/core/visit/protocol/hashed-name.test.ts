import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { hasHashedName } from '../../../../../core/visit/protocol/cache-policy.ts';

test.each([
  'assets/index-BX3f9a1C.js',
  'assets/index-BBPuwvHQ.css',
  'assets/guide_start.md.B_Sbv6Hq.lean.js',
  'assets/app-CqjQYQ-x.js.map',
  'main.4f2a9c1b.css',
  'static/js/main.4f2a9c1b.chunk.js',
  'chunks/framework-4f2a9c1b2d3e4f5a.js',
  'main-XJKD2HFA.js',
])('%s has one', (path) => {
  expect(hasHashedName(path)).toBe(true);
});

test.each([
  'logo.png',
  'background-pattern.png',
  'fonts/inter-variable.woff2',
  'films/main-trailer.mp4',
  'photo-20260101.jpg',
  'main-report-2026.pdf',
  'photo-holiday2.jpg',
  'IMG-DSC00123.JPG',
  'ui-MyWidget.js',
  'de-CHANGELOG.md',
  'a-deadbeef.txt',
  'BX3f9a1C.js',
  'index-BX3f9a1C/app.js',
])('%s has none', (path) => {
  expect(hasHashedName(path)).toBe(false);
});

test('more than nine of ten names that Vite makes are known', () => {
  const names = Array.from({ length: 1000 }, (_, index) => {
    const hash = createHash('sha256').update(String(index)).digest('base64url');
    return `assets/index-${hash.slice(0, 8)}.js`;
  });
  expect(names.filter(hasHashedName).length).toBeGreaterThan(900);
});
