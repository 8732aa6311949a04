import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import {
  type ViewerRequestFile,
  viewerRequestCode,
} from '../../../../lib/edge/viewer-request-code.ts';

/**
 * CloudFront gives a function a fraction of a millisecond, and ends it beyond that ("compute utilization").
 * Time depends on the machine, so this counts how often a block or the body of a loop runs.
 */
function stepsOf(file: ViewerRequestFile): (request: Record<string, unknown>) => number {
  const code = viewerRequestCode(file)
    .replace(/^import cf from 'cloudfront';\n/, '')
    .replace(/\) \{$/gm, ') { steps += 1;')
    .replace(/^(\s*(?:for|while) \(.*\)) (?!\{)(\S.*;)$/gm, '$1 { steps += 1; $2 }');
  const context = createContext({});
  runInContext(`var steps = 0; var cf = { createRequestOriginGroup() {} }; ${code}`, context);
  return (request) => {
    const values = {
      method: 'GET',
      uri: '/',
      headers: {},
      cookies: {},
      querystring: {},
      ...request,
    };
    const event = { viewer: { ip: '::1' }, context: { requestId: 'r' }, request: values };
    context['input'] = JSON.stringify(event);
    return runInContext('steps = 0; handler(JSON.parse(input)); steps', context) as number;
  };
}

const visit = stepsOf('viewer-request.js');
const call = stepsOf('app-viewer-request.js');

const many = <T>(count: number, one: (index: number) => [string, T]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => one(index)));
const value = (text: string) => ({ value: text });
const browserHeaders = many(20, (index) => [`header-${index}`, value('of a browser')]);

/** What fits into CloudFront's limits: 8,192 bytes of URL, 20,480 of request line and headers. */
const worst: [string, Record<string, unknown>][] = [
  ['two thousand parameters', { querystring: many(2000, (index) => [`${index}`, value('')]) }],
  [
    'one parameter two thousand times',
    { querystring: { a: { value: '', multiValue: Array(2000).fill(value('')) } } },
  ],
  [
    'cookies with our names',
    {
      cookies: many(3, (index) => [
        ['__Host-slipway-access', '__Host-slipway-preview', '__Host-slipway-cleared'][index] ?? '',
        { value: 'x', multiValue: Array(250).fill(value('x')) },
      ]),
    },
  ],
  ['words for a purpose', { headers: { 'sec-purpose': value('a,'.repeat(900)) } }],
  ['two thousand headers', { headers: many(2000, (index) => [`x-slipway-${index}`, value('')]) }],
  ['a path of dots and slashes', { uri: '/./..//%41'.repeat(800) }],
  ['a path of slashes', { uri: '/'.repeat(8000) }],
  ['an address of OAuth with slashes', { uri: `/oauth/a${'/'.repeat(8000)}` }],
];

describe('the work of an edge function', () => {
  test('for a page that a browser requests is less than a hundred steps', () => {
    expect(visit({ headers: browserHeaders, uri: '/a/b%20c.html' })).toBeLessThan(100);
    expect(call({ headers: browserHeaders, uri: '/v1/projects' })).toBeLessThan(100);
  });

  test.each(worst)('for %s is less than three thousand steps', (_name, request) => {
    expect(visit(request)).toBeLessThan(3000);
    expect(call(request)).toBeLessThan(3000);
  });

  test.each<ViewerRequestFile>(['viewer-request.js', 'app-viewer-request.js'])(
    '%s has less than 9 kB, of 10, and reads no key value store',
    (file) => {
      expect(Buffer.byteLength(viewerRequestCode(file))).toBeLessThan(9 * 1024);
      expect(viewerRequestCode(file)).not.toMatch(/kvs|await|async/);
    },
  );
});
