import { Readable } from 'node:stream';
import type { S3Request } from '../../../s3/protocol/s3-request.ts';

// The signatures are those of the worked examples in AWS's documentation of SigV4 for S3.
export const CREDENTIAL = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';
export const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
export const context = {
  now: new Date('2013-05-24T00:00:00Z'),
  secretFor: (id: string) =>
    id === 'AKIAIOSFODNN7EXAMPLE' ? 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' : undefined,
};

export function aRequest(change: Partial<S3Request>): S3Request {
  return {
    method: 'GET',
    path: '/test.txt',
    bucket: '',
    key: '',
    query: [],
    headers: {},
    body: Readable.from([]),
    ...change,
  };
}

export function signed(headers: Record<string, string>, signature: string): Record<string, string> {
  const all = {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-date': '20130524T000000Z',
    ...headers,
  };
  const names = Object.keys(all).sort().join(';');
  const authorization = `AWS4-HMAC-SHA256 Credential=${CREDENTIAL},SignedHeaders=${names},Signature=${signature}`;
  return { ...all, authorization };
}
