import { describe, expect, test } from '@jest/globals';
import type { Decision, ServedFile } from '../../../../core/visit/decide-visit.ts';
import type { ServingRecord } from '../../../../core/visit/serving-record.ts';
import { aSite } from '../../../fixtures/visits/a-site.ts';
import { storedFileBytes } from '../../../../lambdas/visits/large-file-response.ts';
import { visitorBytes } from '../../../../lambdas/visits/record-traffic.ts';

const size = 1_000_000;
const etag = '"abc"';
const file: ServedFile = {
  path: 'photo.jpg',
  contentType: 'image/jpeg',
  entry: { size, hash: 'abc' },
};
const published = 'Mon, 02 Mar 2026 10:00:00 GMT';
const epoch = 'Thu, 01 Jan 1970 00:00:00 GMT';
const whole = Buffer.alloc(size).toString('base64');

interface Asked {
  /** What the visitor sent. */
  viewer?: { method?: string; ifNoneMatch?: string; range?: string; ifRange?: string };
  /** What reached the gate. */
  conditions?: { ifNoneMatch?: string; ifModifiedSince?: string };
  decision?: Decision;
  site?: ServingRecord;
  body?: string;
  clearsBrowser?: boolean;
}

function bytesOf({
  viewer,
  conditions = {},
  decision = { kind: 'file', file },
  site,
  body,
  clearsBrowser = false,
}: Asked) {
  const result = {
    headers: {
      etag,
      'last-modified': published,
      ...(clearsBrowser && { 'clear-site-data': '"cache"' }),
    },
    isBase64Encoded: true,
    ...(body !== undefined && { body }),
  };
  const request = { viewer: { method: 'GET', ...viewer }, conditions };
  return visitorBytes(request, { decision, site }, result);
}

const asksSince = (ifRange: string): Asked => ({
  viewer: { range: 'bytes=0-0', ifRange },
  body: whole,
});

describe('the bytes that a visitor gets', () => {
  const fresh = { kind: 'not-modified', file } as const;
  const ofEdge = { ifNoneMatch: etag };
  const page = { kind: 'single-file-page', path: 'notes.txt', entry: file.entry } as const;
  const aText = aSite({ type: 'code' });
  const aPicture = aSite({ type: 'image' });
  const cases: [string, Asked, number][] = [
    ['a file, for a range since 1970', asksSince(epoch), size],
    ['a range since the file was published', asksSince(published), 1],
    [
      'a file that changed since the date of the visitor',
      { conditions: { ifModifiedSince: epoch }, body: whole },
      size,
    ],
    ...[{ range: 'bytes=0-0' }, { ifNoneMatch: etag }].map((viewer): (typeof cases)[number] => [
      'a page that clears the browser of a former tenant',
      { viewer, body: whole, clearsBrowser: true },
      size,
    ]),
    ['a file', { body: whole }, size],
    [
      'a file that the edge has, and the visitor not',
      { conditions: ofEdge, decision: fresh },
      size,
    ],
    [
      'a file that the edge has, and the visitor in another version',
      { viewer: { ifNoneMatch: '"old"' }, conditions: ofEdge, decision: fresh },
      size,
    ],
    [
      'a file that both have',
      { viewer: { ifNoneMatch: `W/${etag}` }, conditions: ofEdge, decision: fresh },
      0,
    ],
    [
      'a file whose tag is one of many',
      { viewer: { ifNoneMatch: `"old", ${etag}` }, conditions: ofEdge, decision: fresh },
      size,
    ],
    ['any version that the visitor has', { viewer: { ifNoneMatch: '*' }, body: whole }, size],
    [
      'a file that the visitor has since a date',
      { conditions: { ifModifiedSince: 'Fri, 27 Nov 2026 10:00:00 GMT' }, decision: fresh },
      0,
    ],
    ['a file with HEAD', { viewer: { method: 'HEAD' }, conditions: ofEdge, decision: fresh }, 0],
    [
      'one byte of a file that the edge has',
      { viewer: { range: 'bytes=0-0' }, conditions: ofEdge, decision: fresh },
      1,
    ],
    [
      'one byte of a file that the edge fetches whole',
      { viewer: { range: 'bytes=0-0' }, body: whole },
      1,
    ],
    [
      'a range of another version',
      { viewer: { range: 'bytes=0-0', ifRange: '"old"' }, conditions: ofEdge, decision: fresh },
      size,
    ],
    [
      'a range that is sent as such',
      {
        viewer: { range: 'bytes=10-12' },
        decision: { kind: 'file', file, range: { first: 10, last: 12 } },
        body: Buffer.alloc(3).toString('base64'),
      },
      3,
    ],
    [
      'the middle of a page whose head is edited',
      {
        viewer: { range: 'bytes=10-' },
        decision: { kind: 'file', file, rangeField: 'bytes=10-' },
        body: Buffer.alloc(40).toString('base64'),
      },
      40,
    ],
    [
      'the page of a text that the edge has',
      { decision: page, site: aText, conditions: ofEdge },
      size,
    ],
    [
      'the page of a text that both have',
      { decision: page, site: aText, viewer: { ifNoneMatch: etag }, conditions: ofEdge },
      0,
    ],
    [
      'the page of a picture that the edge has',
      { decision: page, site: aPicture, conditions: ofEdge },
      0,
    ],
    [
      'a page of ours',
      { decision: { kind: 'to-viewer' }, body: Buffer.alloc(30).toString('base64') },
      30,
    ],
  ];
  test.each(cases)('of %s', (_, asked, sent) => {
    expect(bytesOf(asked)).toBe(sent);
  });
});

describe('the bytes that a visitor gets of a file that is left to storage', () => {
  const s3Etag = '"0123456789abcdef0123456789abcdef-2"';
  const large = { ...file, entry: { size: 5e9, hash: 'abc' } };
  const cases: [string, Asked['viewer'], number][] = [
    ['the whole file', {}, 5e9],
    ['a range', { range: 'bytes=0-99' }, 100],
    ['a range to the end', { range: 'bytes=1000000000-' }, 4e9],
    ['a range that it does not have', { range: 'bytes=6000000000-' }, 0],
    ['a range of the version that the visitor has', { range: 'bytes=0-99', ifRange: s3Etag }, 100],
    ['the file, for a range of another version', { range: 'bytes=0-99', ifRange: '"x"' }, 5e9],
    ['a range since the file was stored', { range: 'bytes=0-99', ifRange: published }, 100],
    ['the file, for a range since 1970', { range: 'bytes=0-0', ifRange: epoch }, 5e9],
    ['nothing, if the visitor has it', { ifNoneMatch: s3Etag }, 0],
    ...[
      `"x", ${s3Etag}`,
      `foo${s3Etag}`,
      `${s3Etag}x`,
      `W/${s3Etag}`,
      s3Etag.replace('-', '*-'),
      s3Etag.replace(/"$/, '*"'),
    ].map((ifNoneMatch): (typeof cases)[number] => [
      `the file, for ${ifNoneMatch} instead of its tag`,
      { ifNoneMatch },
      5e9,
    ]),
    ...['bytes= 0-0', 'BYTES=0-0', ' bytes=0-0', 'bytes=0-0,1-1'].map(
      (range): (typeof cases)[number] => [`the file, for the range ${range}`, { range }, 5e9],
    ),
    ...['+0000', 'UTC'].map((zone): (typeof cases)[number] => [
      `the file, for a range since a date in ${zone}`,
      { range: 'bytes=0-0', ifRange: published.replace('GMT', zone) },
      5e9,
    ]),
    ['the file, if the visitor has another one', { ifNoneMatch: '"x"' }, 5e9],
    ['the file, for whatever the visitor has', { ifNoneMatch: '*' }, 5e9],
    ['nothing for HEAD', { method: 'HEAD' }, 0],
  ];
  test.each(cases)('%s', async (_, viewer, expected) => {
    const request = { viewer: { method: 'GET', ...viewer }, conditions: {} };
    const decision = { kind: 'left-to-storage', file: large } as const;
    const read = async () => ({ etag: s3Etag, 'last-modified': published });
    expect(await storedFileBytes(read, request, aSite(), decision)).toBe(expected);
  });

  test('the file, if storage does not say what the visitor has', async () => {
    const request = { viewer: { method: 'GET', ifNoneMatch: s3Etag }, conditions: {} };
    const fails = async () => Promise.reject(new Error('throttled'));
    const decision = { kind: 'left-to-storage', file: large } as const;
    expect(await storedFileBytes(fails, request, aSite(), decision)).toBe(5e9);
  });
});
