import { describe, expect, test } from '@jest/globals';
import { contentMemory } from '../../../../core/visit/content-memory.ts';
import { maxInlineBytes } from '../../../../core/visit/decide-visit.ts';
import { toLargeFileAddress } from '../../../../core/visit/large-file-address.ts';
import { encodeManifest, type Manifest } from '../../../../core/visit/manifest.ts';
import { fixedSecret } from '../../../../core/secrets/rotating-secret.ts';
import type { EdgeRequest } from '../../../../lambdas/visits/edge-request.ts';
import { largeFileResponse } from '../../../../lambdas/visits/large-file-response.ts';
import { aSite, aVisit, noRoots, now } from '../../../fixtures/visits/a-site.ts';

const hash = 'AbCdEfGhIjKlMnOp';
const files: Manifest = new Map([['film.mp4', { size: maxInlineBytes + 1, hash }]]);
const path = toLargeFileAddress({ hash, path: '/film.mp4' });

/** Streams of one client and those of others, counted over several requests. */
function aStreamingFunction() {
  const counts = new Map<string, number>();
  const deps = {
    brand: 'Slipway',
    accessSecret: fixedSecret('a secret'),
    roots: noRoots,
    sites: { get: async () => aSite({ manifest: encodeManifest(files) }) },
    keptVersion: async () => undefined,
    contents: contentMemory(),
    content: { get: async () => Buffer.from('bytes') },
    mediaLinks: { sign: async () => '/_slipway/media/signed' },
    counters: {
      async count(key: string) {
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return counts.get(key) ?? 0;
      },
    },
  };
  const request = {
    ...aVisit({ path }),
    cleared: '-',
    access: '-',
    preview: '-',
    requestId: 'request',
    domainId: null,
    userAgent: '',
    referrer: '',
    country: '',
    isWorkerScript: false,
    host: aSite().host,
    address: '192.0.2.1',
    method: 'GET',
  };
  return (asked: Partial<EdgeRequest> = {}) =>
    largeFileResponse(deps, { ...request, ...asked }, now);
}

describe('a client may keep sixty functions busy in a minute', () => {
  test('its next stream is a signed link, and other clients are streamed to', async () => {
    const ask = aStreamingFunction();
    for (let count = 1; count <= 60; count += 1) {
      const { status, bytes } = await ask();
      expect([count, status, bytes !== undefined]).toEqual([count, 200, true]);
    }
    const next = await ask();
    expect(next).toMatchObject({
      status: 302,
      headers: { location: '/_slipway/media/signed', 'cache-control': 'private, no-store' },
    });
    expect(next.bytes).toBeUndefined();
    expect((await ask({ address: '192.0.2.2' })).status).toBe(200);
  });

  test('HEAD and what the client has already keep none busy', async () => {
    const ask = aStreamingFunction();
    const etag = (await ask()).headers['etag'];
    for (let count = 1; count <= 70; count += 1) {
      expect((await ask({ method: 'HEAD' })).status).toBe(200);
      expect((await ask({ conditions: { ifNoneMatch: etag } })).status).toBe(304);
    }
    expect((await ask()).status).toBe(200);
  });
});
