import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, test } from '@jest/globals';
import { ALLOWED_ORIGIN } from './s3-target.ts';
import { s3, client, Bucket, key, put, outcome } from './suite.ts';

describe('CORS', () => {
  const preflight = (headers: Record<string, string>) =>
    fetch(s3.url(key('cors')), { method: 'OPTIONS', headers });

  test('allows the configured origin what its rule allows', async () => {
    const response = await preflight({
      origin: ALLOWED_ORIGIN,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'Content-Type, x-amz-meta-a',
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
    expect(response.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(response.headers.get('access-control-allow-headers')).toBe('content-type, x-amz-meta-a');
    expect(response.headers.get('access-control-max-age')).toBe('300');
  });

  test.each([
    ['another origin', { origin: 'https://evil.example', 'access-control-request-method': 'PUT' }],
    ['another method', { origin: ALLOWED_ORIGIN, 'access-control-request-method': 'DELETE' }],
    [
      'another header',
      {
        origin: ALLOWED_ORIGIN,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'x-other',
      },
    ],
  ])('refuses %s', async (_, headers) => {
    const response = await preflight(headers);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(await outcome(response)).toBe('403 AccessForbidden');
  });

  test('adds headers to actual responses, errors too, for the configured origin only', async () => {
    await put('cors');
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: key('cors') }));
    const allowed = await fetch(url, { headers: { origin: ALLOWED_ORIGIN } });
    expect(allowed.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
    expect(allowed.headers.get('vary')).toContain('Origin');
    const refused = await fetch(s3.url(key('cors')), { headers: { origin: ALLOWED_ORIGIN } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      403,
      ALLOWED_ORIGIN,
    ]);
    const other = await fetch(url, { headers: { origin: 'https://evil.example' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });
});
