import { ProjectId } from '../../../../contract/fields.ts';
import { describe, expect, test } from '@jest/globals';
import { contentMemory } from '../../../../core/visit/content-memory.ts';
import { maxInlineBytes } from '../../../../core/visit/decide-visit.ts';
import { toLargeFileAddress } from '../../../../core/visit/large-file-address.ts';
import { encodeManifest, type Manifest } from '../../../../core/visit/manifest.ts';
import { fixedSecret } from '../../../fixtures/fixed-secret.ts';
import type { EdgeRequest } from '../../../../lambdas/visits/edge-request.ts';
import { largeFileResponse } from '../../../../lambdas/visits/large-file-response.ts';
import { aSite, aVisit, noRoots, now } from '../../../fixtures/visits/a-site.ts';

const hash = 'AbCdEfGhIjKlMnOp';
const files: Manifest = new Map([['film.mp4', { size: maxInlineBytes + 1, hash }]]);
const path = toLargeFileAddress({ hash, path: '/film.mp4' });

const other = 'other.sites.example.net';
const projects = new Map([[other, ProjectId.parse('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11')]]);

async function readAll(bytes: AsyncGenerator<Uint8Array> | undefined): Promise<void> {
  for await (const _ of bytes ?? []);
}

/** Streams of one client and those of others, counted over several requests. */
function aStreamingFunction() {
  const counts = new Map<string, number>();
  const deps = {
    brand: 'Slipway',
    accessSecret: fixedSecret('a secret'),
    roots: noRoots,
    // Each host is a project of its own.
    sites: {
      get: async (host: string) => {
        const projectId = projects.get(host) ?? aSite().projectId;
        return aSite({ host, projectId, manifest: encodeManifest(files) });
      },
    },
    keptVersion: async () => undefined,
    contents: contentMemory(),
    content: { get: async () => Buffer.from('bytes') },
    mediaLinks: { sign: async () => '/_slipway/media/signed' },
    counters: {
      async count(key: string, _seconds: number, _now: Date, events = 1) {
        counts.set(key, (counts.get(key) ?? 0) + events);
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
    viewer: { method: 'GET' },
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
      const { status, bytes } = await ask({ host: count % 2 === 0 ? other : aSite().host });
      expect([count, status]).toEqual([count, 200]);
      await readAll(bytes);
    }
    const next = await ask();
    expect(next).toMatchObject({
      status: 302,
      headers: { location: '/_slipway/media/signed', 'cache-control': 'private, no-store' },
    });
    expect(next.bytes).toBeUndefined();
    expect((await ask({ address: '192.0.2.2' })).status).toBe(200);
  });

  test('and six at once, of all projects together; one that ends, or that nobody reads on, makes room', async () => {
    const ask = aStreamingFunction();
    const running = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((at) => ask({ host: at % 2 === 0 ? other : aSite().host })),
    );
    expect(running.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await ask({ host: other })).status).toBe(302);
    expect((await ask({ address: '192.0.2.2' })).status).toBe(200);
    await readAll(running[0]?.bytes);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(302);
    await running[1]?.bytes?.next();
    await running[1]?.bytes?.return(undefined);
    expect((await ask()).status).toBe(200);
  });

  test('and so has its network, with a multiple', async () => {
    const ask = aStreamingFunction();
    const from = (at: number) => ask({ address: `2001:db8:1:${at.toString(16)}::1` });
    const all = await Promise.all(Array.from({ length: 31 }, (_, at) => from(at)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(30);
    expect((await ask({ address: '2001:db8:2::1' })).status).toBe(200);
  });

  test('a copy that the edge sends after a 304 counts, and one that the visitor has does not', async () => {
    const ask = aStreamingFunction();
    const { headers } = await ask();
    const { etag } = headers;
    const conditions = { ifNoneMatch: etag };
    const ofEdge = await ask({ conditions });
    expect(ofEdge).toMatchObject({ status: 304, elsewhere: { offered: 0 } });
    expect(ofEdge.elsewhere?.sent).toBeGreaterThan(4 * 1024 * 1024);
    const viewer = { method: 'GET', ifNoneMatch: etag };
    const ofVisitor = await ask({ conditions, viewer });
    expect(ofVisitor.elsewhere).toEqual({ sent: 0, offered: 0 });
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
