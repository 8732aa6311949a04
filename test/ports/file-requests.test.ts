import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Access } from '../../contract/fields.ts';
import type { PlanLimits } from '../../contract/plans.ts';
import type { StoreKey } from '../../core/content/content-keys.ts';
import { plusSeconds } from '../../core/instants.ts';
import { BusyProject } from '../../core/projects/change/busy-project.ts';
import { publishQueuedUpload } from '../../core/projects/publishing/publish-queued-upload.ts';
import { updateProjectSettings } from '../../core/projects/settings/update-project.ts';
import { createUploadLink } from '../../core/upload-links/manage-upload-links.ts';
import { publishByLink } from '../../core/upload-links/publish-by-link.ts';
import { jobRetrySeconds } from '../../core/uploads/job.ts';
import { OwnerWorld, uploaded } from '../fixtures/accounts/owner-world.ts';
import { piecesSource } from '../fixtures/archives/byte-sources.ts';
import { deflatedEntry, largeZip, storedEntry } from '../fixtures/archives/large-zip.ts';
import { localStores } from '../fixtures/clouds/local-stores.ts';
import { proofSize } from '../fixtures/proof-size.ts';
import { hashSecretText } from '../../core/secret-text.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

type Texts = Parameters<typeof uploaded>[0];
const guest = { address: '192.0.2.9', requestId: 'guest' };

/** A file request that collects into one project. */
class Request {
  readonly world: OwnerWorld;
  readonly jobs: StoreKey[] = [];
  projectId = '';
  token = '';

  constructor(plan: Partial<PlanLimits> = {}) {
    this.world = new OwnerWorld(stores, { versionsKept: 100, ...plan });
  }

  get deps() {
    return {
      ...this.world.deps,
      jobs: { send: async (key: StoreKey) => void this.jobs.push(key) },
      keys: {
        find: async () => ({
          accountId: this.world.caller.account.id,
          name: 'CI',
          expiresAt: null,
        }),
      },
      sessions: { find: async () => undefined },
      grants: { get: async () => undefined },
      notices: { note: async () => undefined },
    } as any;
  }

  async open(
    choices: object = {},
    files: Texts = { 'brief.txt': 'what to send' },
    access: Access = 'private',
  ) {
    await this.world.open();
    this.projectId = await this.world.publish(files, { access });
    const caller = { ...this.world.caller, credential: { kind: 'key', keyHash: 'k' } } as const;
    const input = { into: this.projectId, maxUploads: 50, ...choices };
    const { uploadUrl } = await createUploadLink(this.deps, caller, input);
    this.token = uploadUrl.split('/').at(-1) ?? '';
    return this;
  }

  send(files: Texts | ReturnType<typeof uploaded>, senderName?: string, address = guest.address) {
    const sent = Array.isArray(files) ? files : uploaded(files);
    const caller = { ...guest, address };
    return publishByLink(this.deps, caller, { token: this.token, files: sent, senderName });
  }

  async files() {
    return (await this.world.shown(this.projectId)).files;
  }

  async senders() {
    const { id: accountId } = this.world.caller.account;
    const [link] = await this.deps.links.listOpen(accountId, this.world.now);
    const { received } = await this.deps.links.listReceived(accountId, link.id, {
      limit: 9,
      below: 99,
    });
    return received.map(({ senderName }: { senderName: string }) => senderName);
  }

  async received() {
    return (await this.deps.links.find(hashSecretText(this.token))).received ?? 0;
  }
}

/** A few kilobytes that unpack to more than a request publishes; a worker finds that a damaged one cannot be read. */
async function packed(name: string, { isDamaged = false } = {}) {
  const note = storedEntry('note.txt', Buffer.from(name), name.length);
  const zeros = deflatedEntry('zeros.bin', Buffer.alloc(2 ** 20), 17, 9);
  const source = piecesSource(largeZip([note, zeros]));
  const bytes = Buffer.from(await source.read(0, source.size - 1));
  // In the middle of the zeros: their checksum tells.
  const middle = Math.floor(bytes.length / 2);
  if (isDamaged) bytes.fill(255, middle, middle + 64);
  return uploaded({ [`${name}.zip`]: bytes });
}

describe('uploads that are collected in one project', () => {
  test('of many senders at once each gets a folder, and nothing is lost', async () => {
    const count = proofSize({ short: 12, whole: 48 });
    const request = await new Request().open();
    const names = ['Anna', 'anna', 'Bo', undefined];
    const sent = Array.from({ length: count }, (_, at) => names[at % names.length]);
    const receipts = await Promise.all(
      sent.map((name, at) => request.send({ 'a.txt': String(at) }, name, `198.51.${at}.1`)),
    );
    expect(receipts).toHaveLength(count);
    const { 'brief.txt': brief, ...others } = await request.files();
    expect(brief).toBe('what to send');
    expect(new Set(Object.values(others))).toEqual(new Set(sent.map((_, at) => String(at))));
    const folders = Object.keys(others).map((path) => path.split('/')[0]?.toLowerCase());
    expect(new Set(folders).size).toBe(count);
    expect(folders).toEqual(
      expect.arrayContaining([
        '2026-03-01 anna',
        `2026-03-01 anna (${count / 2})`,
        `2026-03-01 bo (${count / 4})`,
        '2026-03-01',
      ]),
    );
    expect(await request.world.project(request.projectId)).toMatchObject({
      version: count + 1,
      type: 'files',
    });
    expect(await request.received()).toBe(count);
  });

  test('who meets too many others is told to wait, takes no place, and arrives later; a worker tries again', async () => {
    const request = await new Request().open({ maxUploads: 2 });
    await request.send(await packed('large'), 'Anna');
    const [job] = request.jobs;
    if (job === undefined) throw new Error('there is no job');
    let tries = 0;
    const change = async () => {
      tries += 1;
      request.world.now = plusSeconds(request.world.now, 5);
      return 'lost';
    };
    const { deps } = request;
    const busy = { ...deps, owned: { ...deps.owned, change } };
    for (const files of [uploaded({ 'a.txt': 'a' }), await packed('large')]) {
      const sent = { token: request.token, files, senderName: 'Bo' };
      tries = 0;
      await expect(publishByLink(busy, guest, sent)).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        fields: { nextStep: 'Wait some seconds, then send the same again.', retryAfterSeconds: 5 },
      });
      // After 0, 5, 10 and 15 seconds.
      expect(tries).toBe(4);
    }
    expect(request.jobs).toHaveLength(1);
    expect([await request.received(), await request.senders()]).toEqual([1, ['Anna']]);
    await expect(publishQueuedUpload(busy, job)).rejects.toThrow(BusyProject);
    expect(await request.received()).toBe(1);
    request.world.now = plusSeconds(request.world.now, jobRetrySeconds);
    await publishQueuedUpload(deps, job);
    await request.send({ 'a.txt': 'a' }, 'Bo');
    expect(await request.senders()).toEqual(['Bo', 'Anna']);
    expect(Object.keys(await request.files())).toContain('2026-03-01 Bo/a.txt');
    expect(Object.keys(await request.files())).toContain('2026-03-01 Anna/note.txt');
  });

  test('what a worker stores counts in the part of its sender and of the request', async () => {
    const plan = { maxStorageBytes: 100 * 2 ** 20, maxUploadBytes: 50 * 2 ** 20 };
    const request = await new Request(plan).open({ maxUploads: 4 });
    const { counters } = request.deps;
    const ofLink = `stored-bytes-of-link#${hashSecretText(request.token)}`;
    const counted = (key: string, bytes: number) =>
      counters.count(key, 86_400, request.world.now, bytes);
    await counted(`${ofLink}#${guest.address}`, 95_000_000);
    await request.send(await packed('one'), 'Anna');
    await request.send(await packed('two'), 'Bo', '198.51.100.7');
    for (const job of request.jobs.splice(0)) await publishQueuedUpload(request.deps, job);
    const published = Object.keys(await request.files());
    expect(published.filter((path) => path.endsWith('zeros.bin'))).toEqual([
      '2026-03-01 Bo/zeros.bin',
    ]);
    expect(await counted(ofLink, 0)).toBe(17 * 2 ** 20);
    // The place of the first is free again.
    expect(await request.received()).toBe(1);
  });

  test('files of one name in one upload get numbers; hidden ones and rules change nothing', async () => {
    const request = await new Request().open();
    const same = ['one', 'two'].flatMap((text) => uploaded({ 'image.jpg': text }));
    await request.send([...same, ...uploaded({ '.env': 'KEY=1' })], 'Anna');
    await request.send({ 'index.html': '<h1>x</h1>', _redirects: '/* /x 301' }, 'Bo');
    const { files, rules, home } = await request.world.shown(request.projectId);
    expect([rules, home]).toEqual([{ headers: [], redirects: [] }, null]);
    expect(files).toEqual({
      'brief.txt': 'what to send',
      '2026-03-01 Anna/image.jpg': 'one',
      '2026-03-01 Anna/image (2).jpg': 'two',
      '2026-03-01 Bo/index.html': '<h1>x</h1>',
      '2026-03-01 Bo/_redirects': '/* /x 301',
    });
  });

  const zipOf = async (texts: Record<string, string>) => {
    const entries = Object.entries(texts).map(([name, text]) =>
      storedEntry(name, Buffer.from(text), text.length),
    );
    const source = piecesSource(largeZip(entries));
    return source.read(0, source.size - 1);
  };

  test('an ignore file that a sender has leaves nothing out, and the receipt names what arrived', async () => {
    const request = await new Request().open();
    const paper = { '.vercelignore': 'thesis.pdf\n', 'thesis.pdf': 'y', 'c.txt': 'z' };
    const { receipt }: any = await request.send(paper, 'Anna');
    expect(receipt.files.map(({ path }: any) => path)).toEqual(['thesis.pdf', 'c.txt']);
    await request.send({ 'work.zip': await zipOf(paper) }, 'Bo');
    const { 'brief.txt': _, ...arrived } = await request.files();
    expect(arrived).toEqual({
      '2026-03-01 Anna/thesis.pdf': 'y',
      '2026-03-01 Anna/c.txt': 'z',
      '2026-03-01 Bo/thesis.pdf': 'y',
      '2026-03-01 Bo/c.txt': 'z',
    });
  });

  test('hidden files alone do not arrive, nor do they take the place of others', async () => {
    const request = await new Request().open({ maxUploads: 1 });
    const alone = { '.env': 'KEY=1' };
    const refused: Texts[] = [alone, { ...alone, '.git/a': 'a' }, { 'a.zip': await zipOf(alone) }];
    const sent = await Promise.allSettled(refused.map((files) => request.send(files)));
    for (const one of sent) expect(one).toMatchObject({ reason: { code: 'INVALID_REQUEST' } });
    const { receipt }: any = await request.send({ 'a.txt': 'a' });
    expect(receipt.number).toBe(1);
    await expect(request.send({ 'b.txt': 'b' })).rejects.toThrow('received all');
  });

  test('an upload that a worker stores keeps what arrived and changed meanwhile', async () => {
    const request = await new Request().open();
    await request.send(await packed('large'), 'Anna');
    await request.send({ 'b.txt': 'b' }, 'Anna');
    await request.world.update(request.projectId, { files: { 'brief.txt': 'new' } });
    for (const key of request.jobs) await publishQueuedUpload(request.deps, key);
    expect(Object.keys(await request.files()).toSorted()).toEqual([
      '2026-03-01 Anna (2)/note.txt',
      '2026-03-01 Anna (2)/zeros.bin',
      '2026-03-01 Anna/b.txt',
      'brief.txt',
    ]);
    expect((await request.files())['brief.txt']).toBe('new');
    expect((await request.world.project(request.projectId)).waitingPushes).toEqual([]);
  });

  test('one sender uses up no limit of the others', async () => {
    const request = await new Request().open();
    const large = await packed('large');
    for (let count = 0; count < 6; count += 1) await request.send(large);
    await expect(request.send(large)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    for (const network of [1, 2, 3]) await request.send(large, 'Anna', `198.51.${network}.1`);
    expect(await request.received()).toBe(9);
  });

  test('an upload that a worker cannot publish gives its place back, once', async () => {
    const request = await new Request().open({ maxUploads: 1 });
    await request.send(await packed('large', { isDamaged: true }), 'Anna');
    await expect(request.send({ a: 'a' }, 'Bo')).rejects.toThrow('has received all');
    for (const key of [...request.jobs, ...request.jobs])
      await publishQueuedUpload(request.deps, key);
    expect([await request.received(), await request.senders()]).toEqual([0, []]);
    await request.send({ a: 'a' }, 'Bo');
    expect([await request.received(), await request.senders()]).toEqual([1, ['Bo']]);
  });

  test('an upload that a worker cannot publish gives back what it took of its network, once', async () => {
    const request = await new Request().open({ maxUploads: 60 });
    for (let at = 0; at < 29; at += 1) await request.send({ a: String(at) }, 'Anna');
    await request.send(await packed('large', { isDamaged: true }), 'Anna');
    await expect(request.send({ a: 'a' }, 'Anna')).rejects.toThrow('one network');
    for (const key of [...request.jobs, ...request.jobs])
      await publishQueuedUpload(request.deps, key);
    await request.send({ a: 'a' }, 'Anna');
    await expect(request.send({ a: 'b' }, 'Anna')).rejects.toThrow('one network');
  });

  test.each<[string, Partial<PlanLimits>, Texts, string]>([
    [
      'more files than the plan allows',
      { maxFilesPerProject: 3 },
      { a: '', b: '' },
      'UPLOAD_LINK_NOT_FOUND',
    ],
    [
      'more bytes than the plan allows',
      { maxStorageBytes: 20 },
      { a: 'a'.repeat(9) },
      'STORAGE_LIMIT_REACHED',
    ],
    [
      'a path that the folder makes too long',
      {},
      { [`${'long/'.repeat(31)}a`]: '' },
      'INVALID_REQUEST',
    ],
  ])('refuses %s, and does not count it', async (_, plan, files, code) => {
    const request = await new Request(plan).open();
    const refused = request.send({ ...files, 'c/d': 'c' }, 'Anna');
    await expect(refused).rejects.toMatchObject({ code });
    expect(Object.keys(await request.files())).toEqual(['brief.txt']);
    expect([await request.received(), await request.senders()]).toEqual([0, []]);
    expect(await request.world.leftToDo(request.projectId)).toEqual([]);
  });

  test.each([
    ['visitors may open it', true, 'UPLOAD_LINK_NOT_FOUND'],
    ['visitors may open it, as the owner asked', false, undefined],
  ])('once %s: %s', async (_, isPrivate, code) => {
    const request = await new Request().open({ private: isPrivate });
    const { deps, projectId, world } = request;
    await updateProjectSettings(deps, world.caller, { projectId, access: 'public' });
    const sent = request.send({ a: 'a' }, 'Anna').then(
      () => undefined,
      (error) => error.code,
    );
    expect(await sent).toBe(code);
  });

  test('once the project is a site it takes nothing', async () => {
    const request = await new Request().open();
    await request.world.update(request.projectId, { files: { 'index.html': '<h1>Site</h1>' } });
    await expect(request.send({ a: 'a' })).rejects.toThrow('is a site now');
  });

  test.each<[string, Texts, Access, object]>([
    ['a site', { 'index.html': '<h1>Site</h1>' }, 'private', {}],
    ['a project that visitors may open', { a: 'a' }, 'public', {}],
    ['a project of somebody else', { a: 'a' }, 'private', { into: randomUUID() }],
    ['`projectId` beside it', { a: 'a' }, 'private', { projectId: randomUUID() }],
  ])('are not asked for with %s', async (_, files, access, choices) => {
    await expect(new Request().open(choices, files, access)).rejects.toMatchObject({
      code: expect.stringMatching(/INVALID_REQUEST|NOT_FOUND/),
    });
  });
});

test('one network takes half of a request for many in a day, and all of one for few', async () => {
  const request = await new Request().open({ maxUploads: 64 });
  const codes = (outcomes: PromiseSettledResult<unknown>[]) =>
    outcomes.flatMap((one) => (one.status === 'rejected' ? one.reason.code : []));
  const send = (count: number, address: (at: number) => string) =>
    Promise.allSettled(
      Array.from({ length: count }, (_, at) =>
        request.send({ 'a.txt': String(at) }, undefined, address(at)),
      ),
    );
  const { deps, world, projectId } = request;
  const open = (access: Access) => updateProjectSettings(deps, world.caller, { projectId, access });
  await open('public');
  expect(codes(await send(33, (at) => `192.0.2.${at}`))).toHaveLength(33);
  // What is refused takes no place.
  await open('private');
  const refused: string[] = [];
  // A few at once: all of them change one project, and those that lose a race try again.
  for (const count of [6, 6, 6, 6, 6, 4])
    refused.push(...codes(await send(count, (at) => `192.0.2.${at}`)));
  expect(refused).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
  expect(await request.received()).toBe(32);
  expect(codes(await send(2, () => '198.51.100.1'))).toEqual([]);
  const few = await new Request().open({ maxUploads: 3 });
  for (let at = 0; at < 3; at += 1) await few.send({ 'a.txt': String(at) });
  expect(await few.received()).toBe(3);
});
