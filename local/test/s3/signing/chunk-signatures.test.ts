import { describe, expect, test } from '@jest/globals';
import { authenticate } from '../../../s3/signing/authenticate.ts';
import { chunkSignatures } from '../../../s3/signing/chunk-signatures.ts';
import { decodeChunks } from '../../../s3/bodies/chunked-body.ts';
import { checksumHeader, startDigest } from '../../../s3/bodies/checksums.ts';
import { context, aRequest, bodyOf, signed } from './published-examples.ts';

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
