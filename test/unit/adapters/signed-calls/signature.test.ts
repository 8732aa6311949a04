import { expect, test } from '@jest/globals';
import { AwsV4Signer } from 'aws4fetch';
import fc from 'fast-check';
import { signedHeaders } from '../../../../adapters/signed-calls/signature.ts';

const header = fc.stringMatching(/^[!-~](?:[ -~]{0,20}[!-~])?$/);
const requests = fc.record({
  service: fc.constantFrom('dynamodb', 's3', 'sqs', 'secretsmanager'),
  method: fc.constantFrom('GET', 'POST'),
  path: fc.stringMatching(/^\/(?:[a-z0-9-]{1,8}\/){0,3}[a-z0-9]{0,8}$/),
  headers: fc.record({ 'x-amz-target': header, 'x-amz-meta-a': header }),
  body: fc.string({ unit: 'grapheme', maxLength: 40 }),
  sessionToken: fc.option(fc.stringMatching(/^[A-Za-z0-9+/]{1,60}$/), { nil: undefined }),
  // Few days and secrets, so that the key of one signature is often one that was derived before.
  secretAccessKey: fc.constantFrom('se/cret+', 'secret', 'secret/20300101'),
  now: fc.oneof(
    fc.constantFrom(new Date('2030-01-01T23:59:59Z'), new Date('2030-01-02T00:00:00Z')),
    fc.date({ min: new Date('2020-01-01'), max: new Date('2039-12-31'), noInvalidDate: true }),
  ),
});

test('signs as another implementation of Signature Version 4 does', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async ({ sessionToken, secretAccessKey, now, ...request }) => {
      const host = 'bucket.s3.us-east-1.amazonaws.com';
      const keys = { accessKeyId: 'AKID', secretAccessKey, sessionToken };
      const ours = signedHeaders({ ...request, region: 'us-east-1', host }, keys, now);
      const { authorization, ...unsigned } = ours;
      const signer = new AwsV4Signer({
        ...request,
        ...keys,
        ...(sessionToken === undefined && { sessionToken: undefined }),
        url: `https://${host}${request.path}`,
        region: 'us-east-1',
        headers: unsigned,
        datetime: unsigned['x-amz-date'],
      } as any);
      const theirs = (await signer.sign()).headers;
      expect(authorization).toBe(theirs.get('authorization'));
      expect(ours['x-amz-security-token']).toBe(theirs.get('x-amz-security-token') ?? undefined);
    }),
  );
});

test('signs Range as well, so that nobody can change it in transit', () => {
  const request = { service: 's3', region: 'us-east-1', method: 'GET', host: 'h', path: '/a' };
  const headers = { range: 'bytes=0-1' };
  const keys = { accessKeyId: 'AKID', secretAccessKey: 'secret' };
  const { authorization } = signedHeaders({ ...request, headers, body: '' }, keys, new Date());
  expect(authorization).toContain('SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,');
});
