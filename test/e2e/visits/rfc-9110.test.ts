import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { type Answer, ask, file, published } from '../../fixtures/clouds/client.ts';

const digits = '0123456789';
const words = 'The harbour at dawn, with every boat in its berth. '.repeat(100);
const caseCount = 150;
let site: string;
let seen: Answer;
let unused = 0;

/** Every file of a kind has the same content and so the same validators; only its address is its own. */
const fresh = (kind: 'short' | 'long' = 'short') => `${site}/${kind}/${(unused += 1)}.txt`;

beforeAll(async () => {
  const zip = new JSZip();
  zip.file('index.html', `<!doctype html><title>Home</title><p>${words}`);
  zip.file('picture.png', Buffer.from(words));
  for (let count = 1; count <= caseCount; count += 1) {
    zip.file(`short/${count}.txt`, digits);
    zip.file(`long/${count}.txt`, words);
  }
  const body = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
  site = await published([file('site.zip', body)]);
  seen = await ask(fresh());
});

interface Known {
  etag: string;
  modified: string;
  earlier: string;
  later: string;
}

function known(): Known {
  const etag = String(seen.headers.etag);
  const modified = String(seen.headers['last-modified']);
  const moved = (seconds: number) => new Date(Date.parse(modified) + seconds * 1000).toUTCString();
  return { etag, modified, earlier: moved(-3600), later: moved(3600) };
}

type Fields = (known: Known) => Record<string, string>;
type Case = readonly [name: string, fields: Fields, status: number];

/** Asks the service itself, at an address that no edge has answered before. */
const cold = (fields: Fields) => ask(fresh(), { headers: fields(known()) });

/** The same of an edge that may hold the file. */
async function warm(fields: Fields): Promise<Answer> {
  const url = fresh();
  await ask(url);
  return ask(url, { headers: fields(known()) });
}

const bodies: Record<number, string> = { 200: digits, 206: digits, 304: '', 412: '' };

function expectStatus(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  if (status !== 206) expect(answer.text).toBe(bodies[status]);
  else expect(digits).toContain(answer.text);
}

/** A cache may leave `If-Match` and `If-Unmodified-Since` to the origin (§13.1.1, §13.1.4). */
function atOrigin(cases: readonly Case[]): void {
  test.each(cases)('%s', async (_, fields, status) => {
    expectStatus(await cold(fields), status);
  });
}

function everywhere(cases: readonly Case[]): void {
  test.each(cases)('%s', async (_, fields, status) => {
    expectStatus(await cold(fields), status);
    expectStatus(await warm(fields), status);
  });
}

describe('§8.8.2 Last-Modified', () => {
  test('is an IMF-fixdate, not later than Date (§8.8.2.1)', () => {
    const { date = '', 'last-modified': modified = '' } = seen.headers;
    expect(modified).toMatch(/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/);
    expect(Date.parse(modified)).toBeLessThanOrEqual(Date.parse(date));
  });
});

describe('§8.8.3 ETag', () => {
  test('is strong, and the same for the same content', async () => {
    expect(seen.headers.etag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect((await ask(fresh())).headers.etag).toBe(seen.headers.etag);
    expect((await ask(fresh('long'))).headers.etag).not.toBe(seen.headers.etag);
  });

  test.each([
    ['a file', () => fresh('long')],
    ['a page', () => `${site}/`],
  ])('is different for every content coding of one resource (§8.8.3.3): %s', async (_, address) => {
    const url = address();
    const tags = [];
    for (const coding of ['identity', 'gzip', 'br']) {
      const sent = { 'accept-encoding': coding };
      const { headers } = await ask(url, { headers: sent });
      const { etag } = headers;
      expect(etag).toMatch(/^"/);
      tags.push(etag);
      const again = await ask(url, { headers: { ...sent, 'if-none-match': etag } });
      expect(again).toMatchObject({ status: 304, headers: { etag, vary: headers.vary } });
    }
    expect(new Set(tags).size).toBe(3);
  });
});

describe('§9.3.2 HEAD', () => {
  test.each([
    ['a file', () => fresh(), {}],
    ['a packed file', () => fresh('long'), { 'accept-encoding': 'br' }],
    ['a page', () => `${site}/`, { 'accept-encoding': 'gzip' }],
    ['what is missing', () => `${site}/nothing`, {}],
    ['a redirect', () => `${site}/index/`, {}],
  ])('has the headers of GET and no content: %s', async (_, address, headers) => {
    const url = address();
    const head = await ask(url, { method: 'HEAD', headers });
    const get = await ask(url, { headers });
    expect(head.body.length).toBe(0);
    expect(head.status).toBe(get.status);
    // A Function URL does not let a function say it.
    const { 'content-length': length, ...fields } = ownFields(head);
    const { 'content-length': whole, ...same } = ownFields(get);
    expect(withoutEdgeTtl(fields)).toEqual(withoutEdgeTtl(same));
    expect([whole, undefined]).toContain(length);
  });
});

describe('§8.6 Content-Length', () => {
  test.each(['GET', 'HEAD'])('is never renamed by the function URL: %s', async (method) => {
    for (const url of [fresh(), `${site}/`, `${site}/nothing`]) {
      const { headers } = await ask(url, { method });
      expect(headers).not.toHaveProperty('x-amzn-remapped-content-length');
    }
  });
});

/** Fields that say something about what was asked for, not about its way. */
function ownFields({ headers }: Answer): Record<string, unknown> {
  const ofTheWay = /^(?:date|age|x-cache|via|x-amz-|connection|keep-alive|transfer-encoding)/;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheWay.test(name)));
}

describe('§12.5.3 Accept-Encoding', () => {
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=1.0', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.000', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['identity;q=1, *;q=0', undefined],
    ['', undefined],
  ])('%j gets %s, whose content is the same', async (field, coding) => {
    const answer = await ask(fresh('long'), { headers: { 'accept-encoding': field } });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(unpacked(answer)).toBe(words);
    if (coding !== undefined) expect(answer.body.length).toBeLessThan(words.length / 2);
  });

  test.each([
    ['a small file', () => fresh()],
    ['a picture', () => `${site}/picture.png`],
  ])('%s is not compressed', async (_, address) => {
    const { headers } = await ask(address(), { headers: { 'accept-encoding': 'br, gzip' } });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toBeUndefined();
  });
});

function unpacked({ headers, body }: Answer): string {
  const coding = headers['content-encoding'];
  if (coding === 'br') return brotliDecompressSync(body).toString();
  return (coding === 'gzip' ? gunzipSync(body) : body).toString();
}

describe('§12.5.5 Vary', () => {
  test('lists Accept-Encoding on every response that depends on it', async () => {
    const url = fresh('long');
    const plain = await ask(url);
    const packed = await ask(url, { headers: { 'accept-encoding': 'br' } });
    const { etag } = packed.headers;
    const same = { 'accept-encoding': 'br', 'if-none-match': etag };
    const unchanged = await ask(url, { headers: same });
    expect(unchanged.status).toBe(304);
    for (const { headers } of [plain, packed, unchanged]) {
      expect(headers.vary).toBe('Accept-Encoding');
    }
  });

  test('no client gets a coding that it does not accept, regardless of earlier requests', async () => {
    const url = fresh('long');
    for (const coding of ['br', 'gzip', 'identity', 'br', 'identity', 'gzip']) {
      const answer = await ask(url, { headers: { 'accept-encoding': coding } });
      const got = answer.headers['content-encoding'] ?? 'identity';
      expect({ coding: got, text: unpacked(answer) }).toEqual({ coding, text: words });
    }
    expect((await ask(url)).headers['content-encoding']).toBeUndefined();
  });
});

describe('§13.1.1 If-Match', () => {
  atOrigin([
    ['any', () => ({ 'if-match': '*' }), 200],
    ['the current tag', ({ etag }) => ({ 'if-match': etag }), 200],
    ['a list with the current tag', ({ etag }) => ({ 'if-match': `"a", ${etag} , "b"` }), 200],
    ['another tag', () => ({ 'if-match': '"other"' }), 412],
    ['the current tag, weak', ({ etag }) => ({ 'if-match': `W/${etag}` }), 412],
    ['no tag at all', () => ({ 'if-match': 'other' }), 412],
  ]);

  test('compares with the selected representation: a compressed file has its own tag', async () => {
    const packed = { 'accept-encoding': 'br' };
    const { etag } = (await ask(fresh('long'), { headers: packed })).headers;
    const same = await ask(fresh('long'), { headers: { ...packed, 'if-match': etag } });
    expect(same.status).toBe(200);
    expect((await ask(fresh('long'), { headers: { 'if-match': etag } })).status).toBe(412);
  });
});

describe('§13.1.2 If-None-Match', () => {
  everywhere([
    ['any', () => ({ 'if-none-match': '*' }), 304],
    ['the current tag', ({ etag }) => ({ 'if-none-match': etag }), 304],
    ['the current tag, weak', ({ etag }) => ({ 'if-none-match': `W/${etag}` }), 304],
    ['a list with it', ({ etag }) => ({ 'if-none-match': `"a", W/"b",${etag}` }), 304],
    ['another tag', () => ({ 'if-none-match': '"other"' }), 200],
  ]);

  test('compares with the selected representation', async () => {
    const url = fresh('long');
    const { etag } = (await ask(url, { headers: { 'accept-encoding': 'br' } })).headers;
    const again = (coding: string) =>
      ask(url, { headers: { 'accept-encoding': coding, 'if-none-match': etag } });
    expect((await again('br')).status).toBe(304);
    expect((await again('gzip')).status).toBe(200);
    expect((await again('identity')).text).toBe(words);
  });
});

describe('§13.1.3 If-Modified-Since', () => {
  everywhere([
    ['the date that was sent', ({ modified }) => ({ 'if-modified-since': modified }), 304],
    ['a later date', ({ later }) => ({ 'if-modified-since': later }), 304],
    ['an earlier date', ({ earlier }) => ({ 'if-modified-since': earlier }), 200],
    ['no date: ignored', () => ({ 'if-modified-since': 'yesterday' }), 200],
    [
      'beside If-None-Match: ignored',
      ({ later }) => ({ 'if-none-match': '"other"', 'if-modified-since': later }),
      200,
    ],
  ]);
});

describe('§13.1.4 If-Unmodified-Since', () => {
  atOrigin([
    ['the date that was sent', ({ modified }) => ({ 'if-unmodified-since': modified }), 200],
    ['a later date', ({ later }) => ({ 'if-unmodified-since': later }), 200],
    ['an earlier date', ({ earlier }) => ({ 'if-unmodified-since': earlier }), 412],
    ['no date: ignored', () => ({ 'if-unmodified-since': 'yesterday' }), 200],
    [
      'beside If-Match: ignored',
      ({ etag, earlier }) => ({ 'if-match': etag, 'if-unmodified-since': earlier }),
      200,
    ],
  ]);
});

describe('§13.1.5 If-Range', () => {
  const range = 'bytes=0-3';
  everywhere([
    ['the current tag', ({ etag }) => ({ range, 'if-range': etag }), 206],
    ['the current tag, weak', ({ etag }) => ({ range, 'if-range': `W/${etag}` }), 200],
    ['another tag', () => ({ range, 'if-range': '"other"' }), 200],
    ['an earlier date', ({ earlier }) => ({ range, 'if-range': earlier }), 200],
    ['a later date', ({ later }) => ({ range, 'if-range': later }), 200],
    ['no validator', () => ({ range, 'if-range': 'nonsense' }), 200],
    ['without a Range: ignored', () => ({ 'if-range': '"other"' }), 200],
    [
      'that fails, with a Range that cannot be met',
      () => ({ range: 'bytes=99-', 'if-range': '"other"' }),
      200,
    ],
  ]);

  test('the tag of a compressed file does not match a range, which is never compressed', async () => {
    const packed = { 'accept-encoding': 'br' };
    const { etag } = (await ask(fresh('long'), { headers: packed })).headers;
    const headers = { ...packed, range, 'if-range': etag };
    const answer = await ask(fresh('long'), { headers });
    expect({ status: answer.status, text: unpacked(answer) }).toEqual({ status: 200, text: words });
  });
});

describe('§13.2.2 the order of conditions', () => {
  atOrigin([
    [
      '1: If-Match fails before If-None-Match holds',
      ({ etag }) => ({ 'if-match': '"other"', 'if-none-match': etag }),
      412,
    ],
    [
      '2: If-Unmodified-Since fails before If-None-Match holds',
      ({ etag, earlier }) => ({ 'if-unmodified-since': earlier, 'if-none-match': etag }),
      412,
    ],
    [
      '1 before 5: If-Match fails, a Range is not looked at',
      () => ({ 'if-match': '"other"', range: 'bytes=0-1' }),
      412,
    ],
    ['1 then 3: both hold', ({ etag }) => ({ 'if-match': etag, 'if-none-match': etag }), 304],
  ]);
  everywhere([
    [
      '3 before 5: If-None-Match holds, a Range is not looked at',
      ({ etag }) => ({ 'if-none-match': etag, range: 'bytes=0-1' }),
      304,
    ],
    [
      '4 before 5: If-Modified-Since holds, a Range is not looked at',
      ({ modified }) => ({ 'if-modified-since': modified, range: 'bytes=99-' }),
      304,
    ],
    [
      '3 then 5: If-None-Match fails, and the Range is answered',
      ({ etag }) => ({ 'if-none-match': '"other"', range: 'bytes=0-1', 'if-range': etag }),
      206,
    ],
  ]);
});

describe('§14.1.2 byte ranges', () => {
  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=9-9', '9', 'bytes 9-9/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=-500', digits, 'bytes 0-9/10'],
    ['bytes=5-500', '56789', 'bytes 5-9/10'],
    ['bytes=0-999999999999', digits, 'bytes 0-9/10'],
  ])('%s', async (range, text, contentRange) => {
    for (const answer of [await cold(() => ({ range })), await warm(() => ({ range }))]) {
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 206, text });
      expect(answer.headers['content-range']).toBe(contentRange);
      expect(answer.headers['content-length']).toBe(String(text.length));
    }
  });
});

describe('§14.2 Range', () => {
  everywhere(
    [
      'lines=0-1',
      'bytes',
      'bytes=',
      'bytes=-',
      'bytes=a-b',
      'bytes=3-1',
      'bytes 0-1',
      'bytes=0-1,4-5',
      'bytes=0-,0-,0-,0-,0-,0-',
      '',
    ].map((range): Case => [`${range || 'nothing'}: the whole`, () => ({ range }), 200]),
  );

  test('applies to GET only', async () => {
    const url = fresh();
    const head = await ask(url, { method: 'HEAD', headers: { range: 'bytes=0-3' } });
    expect(head.status).toBe(200);
    expect(head.headers['content-range']).toBeUndefined();
    const beyond = { range: 'bytes=99-' };
    expect((await ask(url, { method: 'HEAD', headers: beyond })).status).toBe(200);
  });
});

describe('§14.3 Accept-Ranges', () => {
  test('is on full responses, on ranges and on HEAD', async () => {
    const part = await cold(() => ({ range: 'bytes=0-1' }));
    const head = await ask(fresh(), { method: 'HEAD' });
    for (const { headers } of [seen, part, head]) expect(headers['accept-ranges']).toBe('bytes');
  });
});

describe('§14.4 Content-Range', () => {
  test('is only on 206 and 416', async () => {
    expect(seen.headers['content-range']).toBeUndefined();
    const part = await cold(() => ({ range: 'bytes=0-1' }));
    expect(part.headers['content-range']).toBe('bytes 0-1/10');
    const beyond = await cold(() => ({ range: 'bytes=10-' }));
    expect(beyond.headers['content-range']).toBe('bytes */10');
  });
});

describe('§15.3.7 206 Partial Content', () => {
  test('has the headers that 200 would have', async () => {
    const { headers } = await cold(() => ({ range: 'bytes=0-1' }));
    for (const name of ['etag', 'last-modified', 'content-type', 'x-content-type-options']) {
      expect([name, headers[name]]).toEqual([name, seen.headers[name]]);
    }
    expect(headers).toHaveProperty('date');
    expect(headers['cache-control']).toMatch(/^public/);
  });

  test('the ranges together are the whole file, even if the whole file is compressed', async () => {
    const url = fresh('long');
    const half = words.length / 2;
    const parts = [];
    for (const range of [`bytes=0-${half - 1}`, `bytes=${half}-`]) {
      const answer = await ask(url, { headers: { range, 'accept-encoding': 'br, gzip' } });
      expect(answer.status).toBe(206);
      expect(answer.headers['content-encoding']).toBeUndefined();
      parts.push(answer.text);
    }
    expect(parts.join('')).toBe(words);
  });
});

describe('§15.4.5 304 Not Modified', () => {
  test.each([
    ['short', {}],
    ['long', { 'accept-encoding': 'br' }],
  ] as const)(
    'has the headers that 200 would have, and no content headers: %s',
    async (kind, headers) => {
      const url = fresh(kind);
      const whole = await ask(url, { headers });
      const condition = { ...headers, 'if-none-match': whole.headers.etag };
      for (const again of [
        await ask(url, { headers: condition }),
        await ask(fresh(kind), { headers: condition }),
      ]) {
        expect({ status: again.status, length: again.body.length }).toEqual({
          status: 304,
          length: 0,
        });
        expect(again.headers).toHaveProperty('date');
        for (const name of ['etag', 'vary', 'last-modified']) {
          expect([name, again.headers[name]]).toEqual([name, whole.headers[name]]);
        }
        expect(again.headers['cache-control']).toMatch(/^public, max-age=0/);
        for (const name of ['content-encoding', 'content-range']) {
          expect([name, again.headers[name]]).toEqual([name, undefined]);
        }
        // Absent or correct, because a cache may use it.
        expect([whole.headers['content-type'], undefined]).toContain(again.headers['content-type']);
      }
    },
  );
});

describe('§15.5.13 412 Precondition Failed', () => {
  test('reveals nothing about the content and is not cached', async () => {
    const { status, headers, body } = await cold(() => ({ 'if-match': '"other"' }));
    expect({ status, length: body.length }).toEqual({ status: 412, length: 0 });
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers.etag).toBeUndefined();
  });
});

describe('§15.5.17 416 Range Not Satisfiable', () => {
  test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999-'])(
    '%s gets the length of the file',
    async (range) => {
      for (const answer of [await cold(() => ({ range })), await warm(() => ({ range }))]) {
        expect(answer.status).toBe(416);
        expect(answer.headers['content-range']).toBe('bytes */10');
      }
    },
  );
});

/** Depends on how long the response took (`limitEdgeTtl`). */
function withoutEdgeTtl(headers: Record<string, unknown>): Record<string, unknown> {
  return {
    ...headers,
    'cache-control': String(headers['cache-control']).replace(/s-maxage=\d+/, ''),
  };
}
