import { viewerRequestCode } from '../../../lib/edge/viewer-request-code.ts';
import { expect, test } from '@jest/globals';
import { viewerFunction } from '../../../local/edge/viewer-function/viewer-function.ts';
import { maxRequestBytes, neighbourCookies } from '../../fixtures/visits/neighbour-cookies.ts';
import { aRequest, aResource } from '../../../local/test/edge/edge-fixture.ts';

const code = viewerRequestCode('viewer-request.js');
const edgeFunction = viewerFunction(
  aResource('Function', 'Fn', {
    AutoPublish: true,
    FunctionCode: code,
    FunctionConfig: { Comment: '', Runtime: 'cloudfront-js-2.0' },
  }),
);

/** What the origin would get of a request with this Cookie header. */
function headersWith(cookie: string, path = '/'): Record<string, string> {
  const outcome = edgeFunction.run(aRequest({ path, headers: { cookie } }), {
    distributionId: 'Visitor',
    requestId: 'id',
  });
  if (outcome.kind !== 'request') throw new Error(outcome.kind);
  return outcome.request.headers;
}

const token = (letter: string) =>
  `0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11.v.stamp.1772370000.${letter.repeat(43)}`;
const name = '__Host-slipway-access';
const ours = `${name}=${token('o')}`;
const big = neighbourCookies(maxRequestBytes - 2000);

test.each([
  '/',
  '/style.css',
  '/_slipway/unlock',
  '/_slipway/owner/t',
  '/_slipway/open',
  '/_slipway/seen',
  '/_slipway/zip',
  '/_slipway/media/a/1/b',
  '/_slipway/assets/open.js',
])(
  '%s gets no cookie of a neighbour site, which would count towards API Gateway’s header limit',
  (path) => {
    const headers = headersWith(`${big}; ${ours}`, path);
    expect(headers['cookie']).toBeUndefined();
    expect(headers['x-slipway-access']).toBe(token('o'));
    expect(Object.entries(headers).join('').length).toBeLessThan(1000);
  },
);

test.each([
  ['nothing else', ours],
  ['20 kB before it', `${big}; ${ours}`],
  ['20 kB after it', `${ours}; ${big}`],
  ['its name without the prefix before it', `slipway-access=${token('x')}; ${ours}`],
  ['junk under its name before it', `${name}=junk; ${ours}`],
  ['an empty value under its name before it', `${name}=; ${ours}`],
  ['its name without a value before it', `${name}; ${ours}`],
  ['a quoted value before it', `${name}="${token('x')}"; ${ours}`],
  ['an open quote before it', `a="; ${ours}; b="`],
  ['$Version before it', `$Version=1; $Path="/"; ${ours}`],
  ['a value with spaces before it', `${name}= ${token('x')}x ; ${ours}`],
  ['a comma in place of a semicolon', `a=b, c; ${ours}`],
  ['a nameless cookie before it', `=${name}=${token('x')}; ${ours}`],
  ['its name in other letters', `${name.toUpperCase()}=${token('x')}; ${ours}`],
  ['no space between', `a=b;${ours};c=d`],
  ['tabs and spaces', `a=b; \t ${ours} \t; c=d`],
  ['a name that every object has', `__proto__=x; constructor=y; hasOwnProperty=z; ${ours}`],
  ['no-break space before the name', `\xa0${name}=${token('x')}; ${ours}`],
])('our cookie is recognised with %s', (_, cookie) => {
  expect(headersWith(cookie)['x-slipway-access']).toBe(token('o'));
});

test.each([
  ['without the prefix', `slipway-access=${token('x')}`],
  ['in other letters', `__host-slipway-access=${token('x')}`],
  ['after a no-break space', `\xa0${name}=${token('x')}`],
  ['in quotes', `${name}="${token('x')}"`],
  ['inside of quotes', `a="b, ${name}=${token('x')}"`],
  ['inside of a value', `a=${name}=${token('x')}`],
  ['without a name before it', `=${name}=${token('x')}`],
  ['with $Version', `$Version=1, ${name}=${token('x')}`],
  ['percent-encoded', `${name.replace('-', '%2d')}=${token('x')}`],
  ['with a space inside of the name', `__Host-slipway -access=${token('x')}`],
])('a cookie %s is not ours', (_, cookie) => {
  expect(headersWith(cookie)['x-slipway-access']).toBe('-');
});
