import { describe, expect, test } from '@jest/globals';
import type { ServedFile } from '../../../../core/visit/decide-visit.ts';
import { mediaType } from '../../../../core/content/media-type.ts';
import type { ServingRecord } from '../../../../core/visit/serving-record.ts';
import { fileResponse } from '../../../../lambdas/visits/response-parts.ts';
import { aSite, now } from '../../../fixtures/visits/a-site.ts';

const entry = { size: 100, hash: 'hash-of-it' };

function headersOf(path: string, site: Partial<ServingRecord>, fields: [string, string][] = []) {
  const file: ServedFile = { path, entry, contentType: mediaType(path), fields: new Map(fields) };
  return fileResponse(aSite(site), { kind: 'file', file }, now).headers;
}

const bundle = { type: 'files', home: null } as const;

describe('a raw file of a project without a home page', () => {
  test.each([
    'a.svg',
    'a.xhtml',
    'a.xml',
    'a.xht',
    'a.rss',
    'a.xslt',
    'a.html',
    'a.shtml',
    'a.kml',
  ])('%s runs no script', (path) => {
    expect(headersOf(path, bundle)['content-security-policy']).toBe('sandbox');
  });

  test.each(['a.pdf', 'a.png', 'a.txt', 'a.js', 'a.mp4', 'a.json', 'a.docx'])(
    '%s is not boxed in',
    (path) => {
      expect(headersOf(path, bundle)['content-security-policy']).toBeUndefined();
    },
  );

  test('is sandboxed whatever its own header rules say', () => {
    const fields: [string, string][] = [
      ['content-security-policy', "script-src 'unsafe-inline'"],
      ['content-type', 'text/html'],
    ];
    expect(headersOf('a.txt', bundle, fields)['content-security-policy']).toBe('sandbox');
  });

  test('is sandboxed in a site too, if it was taken along from another site', () => {
    const site = { type: 'html', home: 'index.html' } as const;
    const taken = `_pictures/${'0a'.repeat(16)}.svg`;
    expect(headersOf(taken, site)['content-security-policy']).toBe('sandbox');
    expect(headersOf('a.svg', site)['content-security-policy']).toBeUndefined();
  });

  test('is sandboxed by a 304 too, whatever the rules of its site say', () => {
    const path = `_pictures/${'0a'.repeat(16)}.svg`;
    const fields = new Map([['content-security-policy', "frame-ancestors 'none'"]]);
    const file: ServedFile = { path, entry, contentType: mediaType(path), fields };
    const site = aSite({ type: 'html', home: 'index.html' });
    const { status, headers } = fileResponse(site, { kind: 'not-modified', file }, now);
    expect([status, headers['content-security-policy']]).toEqual([304, 'sandbox']);
  });

  test('is saved under its own name', () => {
    expect(headersOf('b/a.svg', bundle)['content-disposition']).toBe(
      "inline; filename*=UTF-8''a.svg",
    );
  });
});

test('header rules apply to a file of a site', () => {
  expect(headersOf('a.svg', {})['content-security-policy']).toBeUndefined();
  const own: [string, string][] = [['content-security-policy', "default-src 'self'"]];
  expect(headersOf('a.svg', {}, own)['content-security-policy']).toBe("default-src 'self'");
});

test('a file that only its page may load is revalidated at every view', () => {
  const single = { type: 'pdf', home: null } as const;
  const kept = headersOf('a.pdf', single)['cache-control'];
  const alone = headersOf('a.pdf', { ...single, disableDownloads: true })['cache-control'];
  expect(kept).toContain('s-maxage=300');
  expect(alone).toBe('public, max-age=0, must-revalidate, stale-if-error=0');
});
