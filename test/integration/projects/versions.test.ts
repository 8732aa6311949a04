import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { anEmail, get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created, usage } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import {
  diff,
  history,
  push,
  pushed,
  putAway,
  rollBack,
} from '../../fixtures/projects/versions.ts';

const maxBytes = 10_000_000;
/** The plan of a trial keeps three versions, and few bytes. */
const cloud = new LocalCloud('plans.pro.versionsKept=3', `plans.pro.maxStorageBytes=${maxBytes}`);
let service = '';
let key = '';
beforeAll(async () => {
  ({ baseUrl: service } = await cloud.start());
}, 600_000);
afterAll(() => cloud.remove());
beforeEach(async () => {
  key = await signIn(anEmail(), service);
});

const hour = 3600;
const names = Array.from({ length: 10 }, (_, index) => `file-${index}.txt`);
const ten = (changed: Record<string, string> = {}) =>
  names.map((name) => file(name, changed[name] ?? `content of ${name}`));
const aProject = (files = ten()) => created(key, { files, service });
const send = (id: string, files: ReturnType<typeof file>[]) => pushed(key, id, files, { service });
const versionsOf = (id: string) => history(key, id, service);
const put = 's3:PutObject';

/** Keys of a project's objects. */
async function keysOf(projectId: string): Promise<string[]> {
  return (await cloud.state()).keys.filter((stored) => stored.includes(projectId)).toSorted();
}

/** The kinds of a project's rows with pending work. */
async function leftToDo(projectId: string): Promise<string[]> {
  const { rows } = await cloud.state();
  return (rows['projects'] ?? [])
    .filter((row) => row['pk']?.S === `PROJECT#${projectId}`)
    .map((row) => row['sk']?.S?.split('#')[0] ?? '')
    .filter((kind) => ['INTENT', 'DROP', 'PURGE'].includes(kind));
}

async function zipOf(
  files: Record<string, string | Buffer>,
  compression: 'DEFLATE' | 'STORE' = 'DEFLATE',
) {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  return [file('a.zip', await zip.generateAsync({ type: 'nodebuffer', compression }))];
}

describe('a push stores', () => {
  test('one object if one of ten files changed', async () => {
    const { projectId, url } = await aProject();
    const changed = { 'file-3.txt': 'changed' };
    expect(await cloud.costOf(() => send(projectId, ten(changed)))).toMatchObject({ [put]: 1 });
    // The pack of the ten, and the changed file.
    expect(await keysOf(projectId)).toHaveLength(2);
    expect((await ask(`${url}/file-3.txt`)).text).toBe('changed');
    expect((await ask(`${url}/file-4.txt`)).text).toBe('content of file-4.txt');
  });

  test('no files that moved, that returned, or that occur twice', async () => {
    const inFolder = (folder: string) =>
      zipOf({
        'index.html': folder,
        ...Object.fromEntries(names.map((name) => [`${folder}/${name}`, name])),
      });
    const { projectId, url } = await aProject(await inFolder('old'));
    const moved = await inFolder('new');
    expect(await cloud.costOf(() => send(projectId, moved))).toMatchObject({ [put]: 1 });
    for (const name of names) expect((await ask(`${url}/new/${name}`)).text).toBe(name);
    expect((await ask(`${url}/old/file-1.txt`)).status).toBe(404);
    const back = await inFolder('old');
    expect(await cloud.costOf(() => send(projectId, back))).not.toHaveProperty(put);
    for (const name of names) expect((await ask(`${url}/old/${name}`)).text).toBe(name);
    const twice = await zipOf({
      'index.html': 'old',
      ...Object.fromEntries(names.map((name) => [`a/${name}`, name])),
      'b/file-1.txt': 'file-1.txt',
    });
    expect(await cloud.costOf(() => send(projectId, twice))).not.toHaveProperty(put);
    for (const path of ['a', 'b']) {
      expect((await ask(`${url}/${path}/file-1.txt`)).text).toBe('file-1.txt');
    }
  });
});

describe('the history', () => {
  test('keeps the versions of the plan; files of only dropped versions are removed two hours later', async () => {
    const { projectId, url } = await aProject();
    const [first = ''] = (await keysOf(projectId)).map((stored) => stored.split('/')[2]);
    for (const at of [2, 3, 4, 5]) await send(projectId, ten({ 'file-1.txt': `${at}` }));
    expect(await versionsOf(projectId)).toEqual(['5 active', '4 ready', '3 ready']);
    const all = await keysOf(projectId);
    // The pack of the first version, and a file of each of the others.
    expect(all).toHaveLength(5);
    expectRefusal(await rollBack(key, projectId, 1, service), 404, 'NOT_FOUND');
    expectRefusal(await diff(key, projectId, 1, service), 404, 'NOT_FOUND');

    await cloud.advance(2 * hour - 120);
    expect(await keysOf(projectId)).toEqual(all);
    await cloud.advance(240);
    await cloud.maintain();
    const left = await keysOf(projectId);
    // Nine files that later versions show too stay where the first one put them, in its pack.
    expect(left).toHaveLength(4);
    expect(left.filter((stored) => stored.includes(`/${first}/`))).toHaveLength(1);
    expect(await leftToDo(projectId)).toEqual([]);
    for (const [version, text] of [
      [3, '3'],
      [4, '4'],
      [5, '5'],
    ] as const) {
      await rollBack(key, projectId, version, service);
      for (const name of names) {
        const wanted = name === 'file-1.txt' ? text : `content of ${name}`;
        expect((await ask(`${url}/${name}`)).text).toBe(wanted);
      }
    }
  });

  test('removes a pack once no version shows a file of it; one that shows little has stored it again', async () => {
    const { projectId, url } = await aProject();
    const [first = ''] = await keysOf(projectId);
    const six = Object.fromEntries(names.slice(0, 6).map((name) => [name, `other ${name}`]));
    expect(await cloud.costOf(() => send(projectId, ten(six)))).toMatchObject({ [put]: 1 });
    for (const at of [3, 4]) await send(projectId, ten({ ...six, 'file-1.txt': `${at}` }));
    expect(await keysOf(projectId)).toHaveLength(4);
    expect(await keysOf(projectId)).toContain(first);
    await cloud.advance(2 * hour + 120);
    await cloud.maintain();
    const left = await keysOf(projectId);
    expect([left.length, left.includes(first)]).toEqual([3, false]);
    for (const version of [2, 3, 4]) {
      await rollBack(key, projectId, version, service);
      const shown = { ...six, ...(version > 2 && { 'file-1.txt': `${version}` }) };
      for (const { filename, body } of ten(shown)) {
        expect((await ask(`${url}/${filename}`)).text).toBe(body);
      }
    }
  });

  test('drops the oldest version even if it was live, and serves the new one', async () => {
    const { projectId, url } = await aProject();
    for (const at of [2, 3]) await send(projectId, ten({ 'file-1.txt': `${at}` }));
    await rollBack(key, projectId, 1, service);
    await send(projectId, ten({ 'file-1.txt': 'newest' }));
    expect(await versionsOf(projectId)).toEqual(['4 active', '3 ready', '2 ready']);
    await cloud.advance(3 * hour);
    expect((await ask(`${url}/file-1.txt`)).text).toBe('newest');
    expect((await ask(`${url}/file-2.txt`)).text).toBe('content of file-2.txt');
    expect(await keysOf(projectId)).toHaveLength(4);
  });

  test('is exact after concurrent pushes', async () => {
    const { projectId, url } = await aProject();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => send(projectId, ten({ 'file-1.txt': `push ${at}` }))),
    );
    const numbers = answers.map((id) => Number(id.slice('dep_v'.length)));
    expect(numbers.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(await versionsOf(projectId)).toEqual(['7 active', '6 ready', '5 ready']);
    expect((await ask(`${url}/file-1.txt`)).text).toBe(`push ${numbers.indexOf(7)}`);
    await cloud.advance(3 * hour);
    expect(await keysOf(projectId)).toHaveLength(4);
    for (const version of [5, 6, 7]) {
      await rollBack(key, projectId, version, service);
      expect((await ask(`${url}/file-1.txt`)).text).toBe(`push ${numbers.indexOf(version)}`);
    }
  });

  test('is removed completely with the project', async () => {
    const { projectId } = await aProject();
    for (const at of [2, 3, 4]) await send(projectId, ten({ 'file-1.txt': `${at}` }));
    await ask(`${service}/v1/projects/${projectId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key}` },
    });
    await cloud.advance(3 * hour);
    expect(await keysOf(projectId)).toHaveLength(4);
    await cloud.advance(30 * 24 * hour);
    expect(await keysOf(projectId)).toEqual([]);
    expect(JSON.stringify((await cloud.state()).rows['projects'])).not.toContain(projectId);
  });
});

test('the address of a large file leads to the live one after a push, and its file stays for two hours', async () => {
  // Noise, of which no second form is stored.
  const big = (letter: string) =>
    zipOf(
      {
        'big.bin': Buffer.concat([Buffer.alloc(4, letter), randomBytes(4_400_000)]),
        'a.txt': 'a',
      },
      'STORE',
    );
  const { projectId, url } = await aProject(await big('a'));
  const link = `${url}${(await ask(`${url}/big.bin`)).headers.location}`;
  const part = await ask(link, { headers: { range: 'bytes=0-3' } });
  expect([part.status, part.text]).toEqual([206, 'aaaa']);
  for (const letter of ['b', 'c', 'd']) await send(projectId, await big(letter));
  expect(await versionsOf(projectId)).toEqual(['4 active', '3 ready', '2 ready']);
  await cloud.advance(5);
  const former = await ask(link);
  expect(former.status).toBe(302);
  // To the file, and from there to its new address.
  const own = await ask(`${url}${former.headers.location}`);
  const live = await ask(`${url}${own.headers.location}`);
  expect([live.body.length, live.body[0]]).toEqual([4_400_004, 'd'.charCodeAt(0)]);
  // Visitors who have started to read it can continue.
  expect((await keysOf(projectId)).length).toBe(5);
  await cloud.advance(2 * hour + 61);
  expect((await keysOf(projectId)).length).toBe(4);
}, 600_000);

describe('the storage limit of the plan', () => {
  const ofBytes = (bytes: number) => zipOf({ 'zeros.bin': Buffer.alloc(bytes), 'a.txt': '' });

  test('refuses a larger version, a roll back and an unarchive with the figures, and changes nothing', async () => {
    const large = await aProject(await ofBytes(6_700_000));
    await send(large.projectId, await ofBytes(200_000));
    const other = await aProject(await ofBytes(3_600_000));
    expect(await usage(key, service)).toEqual({ projects: 2, bytes: 3_800_000 });

    const back = await rollBack(key, large.projectId, 1, service);
    expectRefusal(back, 403, 'STORAGE_LIMIT_REACHED');
    expect(back.json.error).toContain(`${maxBytes}`);
    expect(back.json.error).toContain('3800000');
    expect(back.json.error).toContain('6500000');
    const before = await keysOf(large.projectId);
    const more = await push(key, large.projectId, await ofBytes(6_400_001), { service });
    expectRefusal(more, 403, 'STORAGE_LIMIT_REACHED');
    expect(await keysOf(large.projectId)).toEqual(before);
    expect(await versionsOf(large.projectId)).toEqual(['2 active', '1 ready']);
    expect(await usage(key, service)).toEqual({ projects: 2, bytes: 3_800_000 });

    await putAway(key, other.projectId, 'archive', service);
    expect((await rollBack(key, large.projectId, 1, service)).status).toBe(200);
    const unarchived = await putAway(key, other.projectId, 'unarchive', service);
    expectRefusal(unarchived, 403, 'STORAGE_LIMIT_REACHED');
    expect(unarchived.json.error).toContain('3600000');
    expect(await usage(key, service)).toEqual({ projects: 1, bytes: 6_700_000 });
    // The total may reach the limit exactly.
    expect(await send(large.projectId, await ofBytes(6_400_000))).toBe('dep_v3');
    expect((await putAway(key, other.projectId, 'unarchive', service)).status).toBe(200);
    expect(await usage(key, service)).toEqual({ projects: 2, bytes: maxBytes });
    const { data } = (await get('/v1/projects', key, service)).json;
    expect(data.projects).toHaveLength(2);
  }, 600_000);
});
