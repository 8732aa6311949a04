import { expect, test } from '@jest/globals';
import { filesToDeploy } from '../../../../lambdas/web-app/web-app.ts';

const bytes = Buffer.from('x');
const build = new Map<string, Uint8Array>([
  ['index.html', bytes],
  ['index.html.br', bytes],
  ['assets/a-1.js', bytes],
  ['assets/a-1.js.br', bytes],
]);

test('files with a hash are kept for ever, pages are asked for at each visit, and both know their encoding', () => {
  const { assets, pages } = filesToDeploy(build, '{"brand":"B"}');
  const described = [...assets, ...pages].map(
    ({ key, contentType, contentEncoding, cacheControl }) => [
      key,
      contentType,
      contentEncoding,
      cacheControl.includes('immutable'),
    ],
  );
  expect(described).toEqual([
    ['dashboard/assets/a-1.js', 'text/javascript; charset=utf-8', undefined, true],
    ['dashboard/assets/a-1.js.br', 'text/javascript; charset=utf-8', 'br', true],
    ['dashboard/index.html', 'text/html; charset=utf-8', undefined, false],
    ['dashboard/index.html.br', 'text/html; charset=utf-8', 'br', false],
    ['dashboard/config.json', 'application/json; charset=utf-8', undefined, false],
  ]);
  expect(Buffer.from(pages[2]?.bytes ?? []).toString()).toBe('{"brand":"B"}');
});
