import { describe, expect, test } from '@jest/globals';
import { authenticate } from '../../../s3/signing/authenticate.ts';
import { chunkSignatures } from '../../../s3/signing/chunk-signatures.ts';
import { decodeChunks } from '../../../s3/bodies/chunked-body.ts';
import { checksumHeader, startDigest } from '../../../s3/bodies/checksums.ts';
import type { S3Request } from '../../../s3/protocol/s3-request.ts';
import {
  canonicalRequest,
  parseCredential,
  signingKey,
  signText,
  stringToSign,
} from '../../../s3/signing/sigv4.ts';

// The signatures are those of the worked examples in AWS's documentation of SigV4 for S3.
const CREDENTIAL = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const context = {
  now: new Date('2013-05-24T00:00:00Z'),
  region: 'us-east-1',
  secretFor: (id: string) =>
    id === 'AKIAIOSFODNN7EXAMPLE' ? 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' : undefined,
};

function aRequest(change: Partial<S3Request>): S3Request {
  return {
    method: 'GET',
    path: '/test.txt',
    bucket: '',
    key: '',
    query: [],
    headers: {},
    body: bodyOf(''),
    ...change,
  };
}

async function* bodyOf(text: string, size = 1000) {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}

function signed(headers: Record<string, string>, signature: string): Record<string, string> {
  const all = {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-date': '20130524T000000Z',
    ...headers,
  };
  const names = Object.keys(all).sort().join(';');
  const authorization = `AWS4-HMAC-SHA256 Credential=${CREDENTIAL},SignedHeaders=${names},Signature=${signature}`;
  return { ...all, authorization };
}

const published: [string, Partial<S3Request>, Record<string, string>, string][] = [
  [
    'a GET with a range',
    {},
    { range: 'bytes=0-9', 'x-amz-content-sha256': EMPTY },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'a PUT of an odd key',
    { method: 'PUT', path: '/test$file.text' },
    {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'a parameter without a value',
    { path: '/', query: [['lifecycle', '']] },
    { 'x-amz-content-sha256': EMPTY },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a listing',
    {
      path: '/',
      query: [
        ['prefix', 'J'],
        ['max-keys', '2'],
      ],
    },
    { 'x-amz-content-sha256': EMPTY },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
];

describe('header signatures', () => {
  test.each(published)('accepts the published signature of %s', (_, change, headers, signature) => {
    const request = aRequest({ ...change, headers: signed(headers, signature) });
    expect(authenticate(request, context).accessKeyId).toBe('AKIAIOSFODNN7EXAMPLE');
  });

  const [, change, headers, signature] = published[0] ?? ['', {}, {}, ''];
  const good = signed(headers, signature);
  test.each<[string, Partial<S3Request>, object, string]>([
    ['another method', { method: 'HEAD' }, {}, 'SignatureDoesNotMatch'],
    ['another path', { path: '/test.txt2' }, {}, 'SignatureDoesNotMatch'],
    ['an added parameter', { query: [['a', '']] }, {}, 'SignatureDoesNotMatch'],
    ['another range', { headers: { ...good, range: 'bytes=0-8' } }, {}, 'SignatureDoesNotMatch'],
    ['another host', { headers: { ...good, host: 'evil' } }, {}, 'SignatureDoesNotMatch'],
    ['an unsigned x-amz header', { headers: { ...good, 'x-amz-meta-a': '1' } }, {}, 'AccessDenied'],
    [
      'no body hash',
      { headers: { ...good, 'x-amz-content-sha256': 'no' } },
      {},
      'SignatureDoesNotMatch',
    ],
    ['an unknown key', {}, { secretFor: () => undefined }, 'InvalidAccessKeyId'],
    ['another region', {}, { region: 'eu-west-1' }, 'AuthorizationHeaderMalformed'],
    ['a late arrival', {}, { now: new Date('2013-05-24T00:15:01Z') }, 'RequestTimeTooSkewed'],
    ['an early arrival', {}, { now: new Date('2013-05-23T23:44:59Z') }, 'RequestTimeTooSkewed'],
    [
      'another day',
      { headers: { ...good, 'x-amz-date': '20130525T000000Z' } },
      {},
      'AuthorizationHeaderMalformed',
    ],
    ['another scheme', { headers: { ...good, authorization: 'Basic abc' } }, {}, 'InvalidRequest'],
    ['two signatures', { query: [['X-Amz-Algorithm', 'AWS4-HMAC-SHA256']] }, {}, 'InvalidArgument'],
    ['no signature', { headers: {} }, {}, 'AccessDenied'],
  ])('refuses %s', (_, other, otherContext, code) => {
    const request = aRequest({ ...change, headers: good, ...other });
    const check = () => authenticate(request, { ...context, ...otherContext });
    expect(check).toThrow(expect.objectContaining({ code }));
  });

  test('accepts fifteen minutes of difference', () => {
    const request = aRequest({ ...change, headers: good });
    const now = new Date('2013-05-24T00:15:00Z');
    expect(authenticate(request, { ...context, now }).payload.kind).toBe('literal');
  });
});

describe('presigned URLs', () => {
  const parameters: Record<string, string> = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': CREDENTIAL,
    'X-Amz-Date': '20130524T000000Z',
    'X-Amz-Expires': '86400',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  };
  const presigned = (change: Record<string, string> = {}) =>
    aRequest({
      query: Object.entries({ ...parameters, ...change }),
      headers: { host: 'examplebucket.s3.amazonaws.com' },
    });

  test('accepts the published signature to its last second', () => {
    const now = new Date('2013-05-25T00:00:00Z');
    expect(authenticate(presigned(), { ...context, now }).payload).toEqual({ kind: 'unsigned' });
  });

  test.each<[string, Record<string, string>, object, string]>([
    ['a second later', {}, { now: new Date('2013-05-25T00:00:01Z') }, 'AccessDenied'],
    ['long before', {}, { now: new Date('2013-05-23T23:44:00Z') }, 'AccessDenied'],
    ['a longer life', { 'X-Amz-Expires': '86401' }, {}, 'SignatureDoesNotMatch'],
    [
      'another algorithm',
      { 'X-Amz-Algorithm': 'AWS4-HMAC-SHA1' },
      {},
      'AuthorizationQueryParametersError',
    ],
    ['a broken credential', { 'X-Amz-Credential': 'x' }, {}, 'AuthorizationQueryParametersError'],
    ['a wrong signature', { 'X-Amz-Signature': 'a'.repeat(64) }, {}, 'SignatureDoesNotMatch'],
  ])('refuses %s', (_, change, otherContext, code) => {
    const check = () => authenticate(presigned(change), { ...context, ...otherContext });
    expect(check).toThrow(expect.objectContaining({ code }));
  });
});

test('refuses a URL that was correctly signed for more than seven days', () => {
  const lifeOf = (seconds: number) => {
    const query: [string, string][] = [
      ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
      ['X-Amz-Credential', CREDENTIAL],
      ['X-Amz-Date', '20130524T000000Z'],
      ['X-Amz-Expires', String(seconds)],
      ['X-Amz-SignedHeaders', 'host'],
    ];
    const request = aRequest({ query, headers: { host: 'example' } });
    const credential = parseCredential(CREDENTIAL);
    if (credential === undefined) throw new Error('no credential');
    const canonical = canonicalRequest(request, ['host'], 'UNSIGNED-PAYLOAD');
    const key = signingKey(context.secretFor('AKIAIOSFODNN7EXAMPLE') ?? '', credential);
    const signature = signText(key, stringToSign('20130524T000000Z', credential, canonical));
    return () =>
      authenticate({ ...request, query: [...query, ['X-Amz-Signature', signature]] }, context);
  };
  expect(lifeOf(604_800)().payload.kind).toBe('unsigned');
  for (const seconds of [604_801, 0]) {
    expect(lifeOf(seconds)).toThrow(
      expect.objectContaining({ code: 'AuthorizationQueryParametersError' }),
    );
  }
});

describe('signed chunks', () => {
  const data = 'a'.repeat(66_560);
  const chunk = (size: number, signature: string) =>
    `${size.toString(16)};chunk-signature=${signature}\r\n${size === 0 ? '' : `${'a'.repeat(size)}\r\n`}`;
  const common = {
    'content-encoding': 'aws-chunked',
    host: 's3.amazonaws.com',
    'x-amz-decoded-content-length': '66560',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
  };
  const plain = {
    headers: signed(
      {
        ...common,
        'content-length': '66824',
        'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
      },
      '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
    ),
    wire: [
      chunk(65_536, 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648'),
      chunk(1024, '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497'),
      chunk(0, 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9'),
      '\r\n',
    ].join(''),
  };
  const trailing = {
    headers: signed(
      {
        ...common,
        'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
        'x-amz-trailer': 'x-amz-checksum-crc32c',
      },
      '106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e',
    ),
    wire: [
      chunk(65_536, 'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2'),
      chunk(1024, '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7'),
      chunk(0, '2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992'),
      'x-amz-checksum-crc32c:sOO8/Q==\r\n',
      'x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n',
    ].join(''),
  };

  async function decode(headers: Record<string, string>, wire: string, pieceSize = 1000) {
    const request = aRequest({ method: 'PUT', path: '/examplebucket/chunkObject.txt', headers });
    const { payload } = authenticate(request, context);
    if (payload.kind !== 'chunked' || payload.seed === undefined) throw new Error('not chunked');
    const trailers = new Map<string, string>();
    const signatures = chunkSignatures(payload.seed);
    const rule = { hasTrailer: payload.hasTrailer, signatures, trailers };
    const pieces: Buffer[] = [];
    for await (const piece of decodeChunks(bodyOf(wire, pieceSize), rule)) pieces.push(piece);
    return { text: Buffer.concat(pieces).toString(), trailers };
  }

  test.each([1, 7, 1000, 100_000])(
    'accepts the published chain in pieces of %d bytes',
    async (size) => {
      expect((await decode(plain.headers, plain.wire, size)).text).toBe(data);
    },
  );

  test('accepts the published chain with a signed trailer and a correct checksum', async () => {
    const { text, trailers } = await decode(trailing.headers, trailing.wire);
    const digest = startDigest('CRC32C');
    digest.update(Buffer.from(text));
    expect(trailers.get(checksumHeader('CRC32C'))).toBe(digest.digest().toString('base64'));
  });

  test.each([
    ['changed bytes', plain, 'aaaa', 'aaab', 'SignatureDoesNotMatch'],
    ['a changed chunk signature', plain, 'ad80c', 'ad80d', 'SignatureDoesNotMatch'],
    ['a changed last signature', plain, 'b6c6e', 'b6c6f', 'SignatureDoesNotMatch'],
    ['a missing chunk signature', plain, /;chunk-signature=ad80[0-9a-f]+/, '', 'IncompleteBody'],
    ['a dropped chunk', plain, /400;[^\r]*\r\na+\r\n/, '', 'SignatureDoesNotMatch'],
    ['a dropped end', plain, /\r\n0;.*/s, '\r\n', 'IncompleteBody'],
    ['bytes after the end', plain, /$/, 'x', 'IncompleteBody'],
    ['an endless chunk line', plain, /^/, '0'.repeat(5000), 'IncompleteBody'],
    ['a changed trailer', trailing, 'sOO8', 'sOO9', 'SignatureDoesNotMatch'],
    ['a changed trailer signature', trailing, 'd81f8', 'd81f9', 'SignatureDoesNotMatch'],
    [
      'a dropped trailer signature',
      trailing,
      /x-amz-trailer-signature.*?\r\n/,
      '',
      'SignatureDoesNotMatch',
    ],
    ['a trailer without a colon', trailing, 'crc32c:', 'crc32c', 'MalformedTrailerError'],
  ])('refuses %s', async (...[, { headers, wire }, from, to, code]) => {
    const forged = wire.replace(from, to);
    expect(forged).not.toBe(wire);
    await expect(decode(headers, forged)).rejects.toMatchObject({ code });
  });
});
