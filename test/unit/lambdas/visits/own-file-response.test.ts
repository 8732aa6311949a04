import { describe, expect, test } from '@jest/globals';
import { contentKey } from '../../../../core/content/content-keys.ts';
import { instant, plusSeconds } from '../../../../core/instants.ts';
import { fixedSecret } from '../../../fixtures/fixed-secret.ts';
import {
  type OwnFileLink,
  ownFilePath,
  type OwnZipLink,
  ownZipPath,
} from '../../../../core/visit/access/own-file-link.ts';
import { contentMemory } from '../../../../core/visit/content-memory.ts';
import { encodeManifest, fileLocation } from '../../../../core/visit/manifest.ts';
import { zipLength } from '../../../../core/content/zip/write-archive.ts';
import type { ServingRecord } from '../../../../core/visit/serving-record.ts';
import { ownFileResponse } from '../../../../lambdas/visits/own-file-response.ts';
import { aManifest, aSite, aVisit, now } from '../../../fixtures/visits/a-site.ts';

const secret = fixedSecret('the secret that signs access');
const site = aSite();
const link: OwnFileLink = {
  bytesOfDay: 100,
  host: site.host,
  projectId: site.projectId,
  location: 'a1/p0123456789abcdef01234567-20',
  offset: 5,
  size: 10,
  name: 'Ä b.html',
  expires: now.getTime() / 1000 + 1,
  madeAt: now.getTime() - 1,
};
const pack = '.....0123456789.....';
const files = aManifest(['a.txt', 4], ['b/c.txt', 6]);
/** The sizes of the files of a ZIP, by their keys. */
const zipped = new Map(
  [...files].map(([path, entry]) => [
    contentKey(site.projectId, fileLocation(site.store, path, entry)),
    entry.size,
  ]),
);

interface Asked {
  link?: Partial<OwnFileLink>;
  record?: Partial<ServingRecord> | 'none';
  path?: (path: string) => string;
  method?: string;
  host?: string;
  /** Stops to read after the first bytes. */
  leaves?: boolean;
  range?: string;
  ifRange?: string;
  /** What the edge would ask storage for. */
  urlPath?: string;
  /** What the account downloaded before today. */
  earlier?: number;
  running?: number;
}

/** One request for a file, the bytes that it gets, and what was counted. */
async function ask({
  record = {},
  method = 'GET',
  earlier = 0,
  running = 0,
  ...asked
}: Asked = {}) {
  const counted: [string, number][] = [];
  const deps = {
    brand: 'Slipway',
    addresses: { downloadHost: 'download.sites.test' },
    accessSecret: secret,
    sites: {
      async get(host: string) {
        expect(host).toBe(site.host);
        return record === 'none' ? undefined : { ...site, ...record };
      },
    },
    contents: contentMemory(),
    keptVersion: async () => undefined,
    content: {
      async get(key: string, range?: { first: number; last: number }) {
        const ofZip = zipped.get(key);
        if (ofZip !== undefined) return Buffer.alloc(ofZip, 'x');
        expect(key).toBe(contentKey(link.projectId, link.location));
        return Buffer.from(pack.slice(range?.first, (range?.last ?? 99) + 1));
      },
    },
    counters: {
      async count(key: string, _seconds: number, _now: Date, events = 1) {
        counted.push([key, events]);
        return key.startsWith('own-file-bytes') ? earlier + events : running + 1;
      },
    },
  };
  const path = ownFilePath(secret, { ...link, ...asked.link });
  const { range, ifRange, urlPath = '/' } = asked;
  const request = {
    ...aVisit({ path: (asked.path ?? ((same) => same))(path), conditions: { range, ifRange } }),
    domainId: null,
    access: '-',
    preview: '-',
    cleared: '-',
    isWorkerScript: false,
    urlPath,
    viewer: { method, range, ifRange },
    method,
    host: asked.host ?? 'download.sites.test',
    requestId: 'r1',
    address: '192.0.2.7',
    userAgent: '',
    referrer: '',
    country: '',
  };
  const { bytes, ...answer } = await ownFileResponse(deps, request, now);
  let sent = '';
  for await (const part of bytes ?? []) {
    sent += Buffer.from(part).toString();
    if (asked.leaves === true) break;
  }
  const ofDay = counted.filter(([key]) => key.startsWith('own-file-bytes'));
  return { ...answer, sent, counted: ofDay.map(([, events]) => events) };
}

describe('a link to a file in a pack', () => {
  test.each<[string, Asked, number, string, number[]]>([
    ['gives the file', {}, 200, '0123456789', [10]],
    ['gives a part of it', { range: 'bytes=2-3' }, 206, '23', [2]],
    ['gives its end, and no byte beyond', { range: 'bytes=8-99' }, 206, '89', [2]],
    [
      'gives all of it to who has a part of something',
      { range: 'bytes=2-3', ifRange: '"x"' },
      200,
      '0123456789',
      [10],
    ],
    [
      'goes on for who has the beginning',
      { range: 'bytes=8-', ifRange: `"${link.location}:5"` },
      206,
      '89',
      [2],
    ],
    ['gives nothing after its end', { range: 'bytes=10-' }, 416, '', []],
    ['gives nothing for HEAD', { method: 'HEAD' }, 200, '', []],
    ['gives an empty file', { link: { size: 0 } }, 200, '', []],
    [
      'made for a project that was archived before, as an export does',
      { record: { archivedAt: instant(plusSeconds(now, -1)) } },
      200,
      '0123456789',
      [10],
    ],
    [
      'works for a project that is private',
      { record: { status: 'private' } },
      200,
      '0123456789',
      [10],
    ],
    [
      'works for one that is archived',
      { record: { archivedAt: site.publishedAt } },
      200,
      '0123456789',
      [10],
    ],
    [
      'works for one that has expired',
      { record: { expiresAt: site.publishedAt } },
      200,
      '0123456789',
      [10],
    ],
    [
      'works for one that rests',
      { record: { restingUntil: '2026-04-01T00:00:00.000Z' } },
      200,
      '0123456789',
      [10],
    ],
    ['gives the last bytes of the day', { earlier: 90 }, 200, '0123456789', [10]],
    ['gives no byte beyond the day, and takes nothing of it', { earlier: 91 }, 429, '', [10, -10]],
    [
      'has no day without a limit of storage',
      { link: { bytesOfDay: -1 }, earlier: 91 },
      200,
      '0123456789',
      [],
    ],
    ['does not wait while others run', { running: 99 }, 200, '0123456789', [10]],
  ])('%s', async (_, asked, status, sent, counted) => {
    expect(await ask(asked)).toMatchObject({ status, sent, counted });
  });

  test('is saved under its name, and never shown', async () => {
    expect((await ask()).headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': "attachment; filename*=UTF-8''%C3%84%20b.html",
      'content-security-policy': 'sandbox',
    });
  });

  test.each([
    ['the next day', { earlier: 91 }, 12 * 3600],
    ['a few seconds', { running: 99, link: { size: 65_537, bytesOfDay: -1 } }, 5],
  ])('says when it works again: %s', async (_, asked, seconds) => {
    expect((await ask(asked)).headers).toMatchObject({ 'retry-after': String(seconds) });
  });
});

describe('a link to a large file', () => {
  const size = 5_000_000_000;
  const location = `a1/${'0123456789abcdef'.repeat(2)}`;
  const urlPath = `/${site.projectId}/${location}`;
  const large: Asked = { link: { size, location, offset: undefined, bytesOfDay: size }, urlPath };

  test.each<[string, Asked, number[]]>([
    ['whole', {}, [size]],
    ['in a range', { range: 'bytes=0-99' }, [100]],
    ['in a range of another version', { range: 'bytes=0-99', ifRange: '"x"' }, [size]],
    ['for HEAD', { method: 'HEAD' }, [0]],
  ])('leaves it to storage %s, and counts it', async (_, asked, counted) => {
    expect(await ask({ ...large, ...asked })).toMatchObject({ status: 416, counted });
  });

  test('gives no byte beyond the day', async () => {
    expect(await ask({ ...large, earlier: 1 })).toMatchObject({
      status: 429,
      counted: [size, -size],
    });
  });

  test('names its object', () => {
    const path = ownFilePath(secret, { ...link, ...large.link });
    expect(path.startsWith(`/_slipway/download${urlPath}/`)).toBe(true);
  });
});

test('what nobody waits for, or is refused while others run, is given back', async () => {
  // Storage is read in parts of 4 MiB.
  const size = 9 * 1024 * 1024;
  const long = { size, bytesOfDay: size };
  const { counted } = await ask({ link: long, leaves: true });
  expect(counted).toEqual([size, pack.slice(5).length - size]);
  expect(await ask({ link: long, running: 99 })).toMatchObject({ status: 429, counted: [] });
});

describe('a link to all files of a version', () => {
  const record = { version: 3, manifest: encodeManifest(files) };
  const zip = (fields: Partial<OwnZipLink> = {}) => {
    const { bytesOfDay, host, projectId, expires, madeAt } = { ...link, bytesOfDay: 10_000 };
    const of = { bytesOfDay, host, projectId, expires, madeAt, name: 'T.zip', version: 3 };
    return () => ownZipPath(secret, { ...of, ...fields });
  };

  test.each<[string, Asked, number, boolean]>([
    ['gives a ZIP', { path: zip() }, 200, true],
    ['gives one of a private project', { path: zip(), record: { status: 'private' } }, 200, true],
    ['gives only its head for HEAD', { path: zip(), method: 'HEAD' }, 200, false],
    ['gives nothing of a version that is gone', { path: zip({ version: 2 }) }, 404, false],
    [
      'gives nothing of what was taken down',
      { path: zip(), record: { takenDown: true } },
      451,
      false,
    ],
    ['gives nothing at an object', { path: zip(), urlPath: '/p/a1/x' }, 404, false],
    ['gives nothing beyond the day', { path: zip(), earlier: 9_999 }, 429, false],
    ['gives no more than ten in a minute', { path: zip(), running: 10 }, 429, false],
    [
      'gives nothing at another version than the signed one',
      { path: (path) => zip()().replace(/own\/[^.]+/, path.split('.')[0] ?? '') },
      404,
      false,
    ],
  ])('%s', async (_, asked, status, hasBytes) => {
    const answer = await ask({ ...asked, record: { ...record, ...(asked.record as object) } });
    expect([answer.status, answer.sent.startsWith('PK')]).toEqual([status, hasBytes]);
    if (status === 200) {
      expect(answer.headers).toMatchObject({
        'content-type': 'application/zip',
        'content-disposition': "attachment; filename*=UTF-8''T.zip",
      });
    }
    const taken = answer.counted.reduce((sum, bytes) => sum + bytes, 0);
    expect(taken).toBe(
      hasBytes ? zipLength([...files].map(([path, { size }]) => ({ path, size }))) : 0,
    );
  });
});

describe('nothing is given', () => {
  test.each<[string, Asked, number]>([
    ['at the host of a site', { host: site.host }, 404],
    ['by a link that has ended', { link: { expires: now.getTime() / 1000 } }, 404],
    ['of a project that is gone', { record: 'none' }, 404],
    [
      'of another project at the address',
      { link: { projectId: aSite().projectId.replace('0', '1') as never } },
      404,
    ],
    ['of a project that was taken down', { record: { takenDown: true } }, 451],
    ['of a project that was archived since', { record: { archivedAt: instant(now) } }, 404],
    [
      'by a link with another signature',
      { path: (path) => path.replace(/(.)\/(?=[^/]*$)/, (_, end) => (end === 'A' ? 'B/' : 'A/')) },
      404,
    ],
    [
      'by a link that says something else',
      { path: (path) => path.replace('/own/W', '/own/X') },
      404,
    ],
    [
      'by a link to a large file, of another object',
      { link: { size: 5e9, offset: undefined }, urlPath: '/another/object' },
      404,
    ],
    // Its 416 would make the edge ask storage for that object.
    ['by a link to a small file, at an object', { range: 'bytes=99-', urlPath: '/p/a1/x' }, 404],
    ['by a link that says nothing', { path: () => '/_slipway/own/' }, 404],
    ['by a link without a host', { link: { host: '' } }, 404],
    ['by a link with a host that no key can have', { link: { host: 'a'.repeat(3000) } }, 404],
    ['by a text', { path: () => `/_slipway/own/${'x'.repeat(40)}.${'y'.repeat(43)}/a` }, 404],
  ])('%s', async (_, asked, status) => {
    expect(await ask(asked)).toMatchObject({ status, sent: '', counted: [] });
  });
});
