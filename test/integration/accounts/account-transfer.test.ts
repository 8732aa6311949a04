import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccountExport, type ProjectExport } from '../../../contract/account-export.ts';
import { contentHash } from '../../../core/content/content-keys.ts';
import { archiveBuilder } from '../../../core/transfer/gather-pages.ts';
import { anEmail } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud, type State } from '../../fixtures/clouds/local-cloud.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { usage } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { contentObjects, storedChanges } from '../../fixtures/clouds/stored-changes.ts';
import { startProgram } from '../../fixtures/clouds/programs.ts';
import { aStranger, Owner, runExport, runImport } from '../../fixtures/accounts/transfer.ts';

const folders: string[] = [];
function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-export-'));
  folders.push(folder);
  return folder;
}

const email = anEmail();
const first = new Owner(new LocalCloud(), email);
const second = new Owner(LocalCloud.withOwnSecrets(), email);
const third = new Owner(LocalCloud.withOwnSecrets(), email);
const out = aFolder();
/** The expired project lives for a quarter of an hour. */
const minutes = 20;
let ids: Awaited<ReturnType<Owner['publishAll']>>;

const readArchive = (folder: string) =>
  AccountExport.parse(JSON.parse(readFileSync(join(folder, 'export.json'), 'utf8')));
const exportOf = ({ cloud, key }: Owner, folder: string) => runExport(cloud.baseUrl, key, folder);
const importInto = ({ cloud }: Owner, ...more: string[]) =>
  runImport('--from', out, '--state-dir', cloud.stateDir, ...more);

/** The parts of an archive that must be equal on both sides. */
function comparable(archive: AccountExport) {
  return { ...archive, exportedAt: '' };
}

/** Every path of a version's files, those of a large site by sample. */
function pathsOf({ versions, liveVersion }: ProjectExport): string[] {
  const files = versions.find(({ version }) => version === liveVersion)?.files ?? [];
  const some = files.length > 100 ? files.filter((_, index) => index % 25 === 0) : files;
  return ['/', '/nothing-here', ...some.map(({ path }) => `/${encodeURI(path)}`)];
}

/** What the first service answered for each address; nobody changes its sites after the export. */
const answersOfFirst = new Map<string, ReturnType<Owner['visit']>>();

function visitFirst(site: { url: string }, path: string): ReturnType<Owner['visit']> {
  const address = site.url + path;
  const answer = answersOfFirst.get(address) ?? first.visit(site, path);
  answersOfFirst.set(address, answer);
  return answer;
}

async function expectSameSites(owner: Owner, archive: AccountExport): Promise<void> {
  const before = await first.all();
  const after = await owner.all();
  for (const project of archive.projects) {
    const here = before.find(({ id }) => id === project.id);
    const there = after.find(({ id }) => id === project.id);
    for (const path of pathsOf(project)) {
      const seen = await owner.visit(there, path);
      expect({ path, ...seen }).toEqual({ path, ...(await visitFirst(here, path)) });
    }
  }
}

beforeAll(async () => {
  await Promise.all([first.cloud.start(), second.cloud.start()]);
  await first.signIn();
  ids = await first.publishAll();
  await first.cloud.advance(minutes * 60);
}, 600_000);

afterAll(async () => {
  await Promise.all([first, second, third].map(({ cloud }) => cloud.remove()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('an export', () => {
  test('contains every project except the deleted one, and each content once', async () => {
    const { code, stdout } = await exportOf(first, out);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${out} holds 8 projects of ${email}.\n`,
    });
    // One of them has so many names that its manifest is an object of its own.
    expect((await first.cloud.state()).keys).toContainEqual(
      expect.stringMatching(new RegExp(`${ids.many}/[0-9a-f]+/manifest/[\\w-]{43}$`)),
    );
    const archive = readArchive(out);
    const kept = Object.values(ids).filter((id) => id !== ids.gone);
    expect(archive.projects.map(({ id }) => id)).toEqual(kept);
    const files = archive.projects.flatMap(({ versions }) => versions.flatMap((one) => one.files));
    const contents = new Set(files.map(({ hash, size }) => `${hash}-${size}`));
    expect(readdirSync(join(out, 'objects')).toSorted()).toEqual([...contents].toSorted());
    expect(archive.projects.map(({ versions }) => versions.length)).toEqual([
      3,
      ...Array(7).fill(1),
    ]);
    const { projects, bytes } = await usage(first.key, first.cloud.baseUrl);
    expect(archive.account).toMatchObject({ email, projectCount: projects, storageBytes: bytes });
    expect(statSync(join(out, 'export.json')).mode & 0o777).toBe(0o600);
  });

  test('downloads only missing and damaged files', async () => {
    const before = readFileSync(join(out, 'export.json'), 'utf8');
    const [damaged = '', lost = ''] = readdirSync(join(out, 'objects'));
    const whole = readFileSync(join(out, 'objects', damaged));
    writeFileSync(join(out, 'objects', damaged), Buffer.alloc(whole.length, 1));
    rmSync(join(out, 'objects', lost));
    const { code, stderr } = await exportOf(first, out);
    expect(code).toBe(0);
    expect(stderr).toContain('2 downloaded in this run');
    expect(readFileSync(join(out, 'objects', damaged))).toEqual(whole);
    const times = (text: string) => text.replace(/"exportedAt": "[^"]+"/, '');
    expect(times(readFileSync(join(out, 'export.json'), 'utf8'))).toBe(times(before));
  });

  test('has the same result in small pages', async () => {
    const page = async (query: string) =>
      (await first.get(`/v1/account/export?limit=37${query}`)).json.data;
    let one = await page('');
    const gathering = archiveBuilder(one);
    let count = 1;
    while (one.next !== null) {
      one = await page(`&cursor=${one.next}`);
      gathering.add(one);
      count += 1;
    }
    expect(count).toBeGreaterThan(7);
    const { archive, incomplete } = gathering.result();
    expect(incomplete).toEqual([]);
    expect(comparable(archive)).toEqual(comparable(readArchive(out)));
  });

  test('has links that give the file alone, and nothing to who changes one', async () => {
    const { projects } = (await first.get('/v1/account/export')).json.data;
    const files = projects.flatMap(({ versions }: any) =>
      versions.flatMap((one: any) => one.files),
    );
    const { url, size, hash } = files.find((one: any) => one.url !== undefined);
    const { status, body } = await ask(url);
    expect({ status, size: body.length, hash: contentHash(body) }).toEqual({
      status: 200,
      size,
      hash,
    });
    const beyond = await ask(url, { headers: { range: `bytes=${size}-` } });
    expect(beyond.status).toBe(416);
    const [payload = '', end = ''] = url.split('/own/')[1].split('.');
    const said = JSON.parse(Buffer.from(payload, 'base64url').toString());
    said[5] += 1;
    const forged = Buffer.from(JSON.stringify(said)).toString('base64url');
    expect((await ask(url.replace(`${payload}.${end}`, `${forged}.${end}`))).status).toBe(404);
  });

  test('returns nothing to a stranger, with any cursor', async () => {
    const stranger = await aStranger(first.cloud);
    const mine = (await stranger.get('/v1/account/export')).json.data;
    expect(mine).toMatchObject({ projects: [], next: null });
    const { next } = (await first.get('/v1/account/export?limit=1')).json.data;
    const answer = await stranger.get(`/v1/account/export?cursor=${next}`);
    expectRefusal(answer, 400, 'INVALID_REQUEST');
  });

  test.each(['cursor=', 'cursor=abc', 'cursor=%00'])('refuses %s', async (query) => {
    const answer = await first.get(`/v1/account/export?${query}`);
    expectRefusal(answer, 400, 'INVALID_REQUEST');
  });

  test.each([
    [3, { key: 'sw_live_x' }, /API key/i],
    [4, { url: 'http://127.0.0.1:1' }, /cannot be reached/],
  ])('explains why it fails, and what to do: exit code %i', async (expected, change, reason) => {
    const { url, key } = { url: first.cloud.baseUrl, key: first.key, ...change };
    const { code, stdout, stderr } = await runExport(url, key, aFolder());
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(reason);
    expect(stderr.trim().split('\n')).toHaveLength(2);
  });
});

/** Forgets who left an address, as 90 days would: moving the clock would end keys and projects too. */
async function endReservation(cloud: LocalCloud, host: string): Promise<void> {
  const access = JSON.parse(readFileSync(join(cloud.stateDir, 'operator.json'), 'utf8'));
  const { endpoint, accessKeyId, secretAccessKey, tables } = access;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  const Key = { host: { S: host } };
  await client.send(new DeleteItemCommand({ TableName: tables.SITES_TABLE, Key }));
  client.destroy();
}

describe('an import', () => {
  test('skips a project whose address is taken, and imports it later', async () => {
    const { slug, title } = readArchive(out).projects[1] ?? { slug: '', title: '' };
    const stranger = await aStranger(second.cloud);
    const squatter = await stranger.publish({ title: 'x', slug }, [file('index.html', 'x')]);
    const partly = await importInto(second);
    expect(partly.code).toBe(1);
    expect(partly.stderr).toContain(`${title}): skipped: its address ${slug}.sites.localhost`);
    expect(partly.stdout).toContain('7 restored, 0 already there, 1 skipped');
    await stranger.send('DELETE', `/v1/projects/${squatter}`);
    expect((await importInto(second)).stdout).toContain('0 restored, 7 already there, 1 skipped');
    await endReservation(second.cloud, `${slug}.sites.localhost`);
    const wholly = await importInto(second);
    expect(wholly).toMatchObject({ code: 0 });
    expect(wholly.stdout).toContain('1 restored, 7 already there, 0 skipped');
  });

  test('restores settings, history, totals and every byte', async () => {
    await second.cloud.advance(minutes * 60);
    await second.signIn();
    const archive = readArchive(out);
    for (const { id } of archive.projects) {
      const { url: from, ...here } = (await first.get(`/v1/projects/${id}`)).json.data;
      const { url: to, ...there } = (await second.get(`/v1/projects/${id}`)).json.data;
      expect(there).toEqual(here);
      const port = (owner: Owner) => `:${new URL(owner.cloud.baseUrl).port}`;
      expect(to).toBe(from.replace(port(first), port(second)));
      const history = `/v1/projects/${id}/status`;
      expect((await second.get(history)).json).toEqual((await first.get(history)).json);
    }
    expect((await second.get('/v1/user')).json).toEqual((await first.get('/v1/user')).json);
    expect((await second.get('/v1/workspaces')).json).toEqual(
      (await first.get('/v1/workspaces')).json,
    );
    await expectSameSites(second, archive);
  }, 600_000);

  test('equals another export of the result, including password hashes', async () => {
    const again = aFolder();
    expect((await exportOf(second, again)).code).toBe(0);
    const archive = readArchive(again);
    expect(comparable(archive)).toEqual(comparable(readArchive(out)));
    const locked = archive.projects.find(({ id }) => id === ids.locked);
    expect(locked?.passwordHash).toMatch(/^scrypt\$/);
    expect(locked?.deniedPeople).toEqual(['bo@x.org']);
  });

  test('changes nothing when it is repeated, in the new service or in the old one', async () => {
    for (const owner of [first, second]) {
      const before = await owner.cloud.state();
      const { code, stdout } = await importInto(owner);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringContaining(
          '(existing account, plan free): 0 restored, 8 already there',
        ),
      });
      const after = await owner.cloud.state();
      expect(after.rows['sites']).toEqual(before.rows['sites']);
      expect(after.rows['projects']).toEqual(before.rows['projects']);
      expect(after.keys).toEqual(before.keys);
    }
  });

  test('does not change projects of other accounts or projects that were changed since', async () => {
    const other = anEmail();
    const { code, stderr, stdout } = await importInto(second, '--email', other);
    expect(code).toBe(1);
    expect(stderr.match(/its id belongs to another account/g)).toHaveLength(8);
    expect(stdout).toContain(`${other} (new account, plan free): 0 restored`);
    await second.send('PATCH', `/v1/projects/${ids.moved}`, { title: 'Changed here' });
    const later = await importInto(second);
    expect(later.code).toBe(1);
    expect(later.stderr).toContain('Moved): skipped: it is there already and is another');
    expect((await second.get(`/v1/projects/${ids.moved}`)).json.data.title).toBe('Changed here');
  });

  test('gives a working project: roll back, push and delete work', async () => {
    const site = (await second.get(`/v1/projects/${ids.sited}`)).json.data;
    await second.send('POST', `/v1/projects/${ids.sited}/rollback`, { version: 3 });
    expect((await second.visit(site, '/three/page.txt')).status).toBe(200);
    await second.push(ids.sited, [file('index.html', 'four')]);
    const versions = (await second.get(`/v1/projects/${ids.sited}/status`)).json.data;
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2, 1]);
    for (const { id } of await second.all()) await second.send('DELETE', `/v1/projects/${id}`);
    expect(await usage(second.key, second.cloud.baseUrl)).toEqual({ projects: 0, bytes: 0 });
  });

  test('refuses a folder without an export, and a manipulated one', async () => {
    const target = ['--state-dir', second.cloud.stateDir];
    const none = await runImport('--from', aFolder(), ...target);
    expect(none).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not exist. --from must name a folder'),
    });
    const folder = aFolder();
    const archive = readArchive(out);
    const file = archive.projects[0]?.versions[0]?.files[0];
    if (file !== undefined) file.path = '../x';
    writeFileSync(join(folder, 'export.json'), JSON.stringify(archive));
    const tampered = await runImport('--from', folder, ...target, '--email', anEmail());
    expect(tampered.stderr).toMatch(/Site\): skipped: version 1 is not whole in the export/);
  });
});

/** Whether a row is of a project that an import has begun and not ended. */
const isBegun = (row: State['rows'][string][number]) => 'importing' in row;

/** A short proof kills twice. */
const isProved = proofSize({
  short: (name: string) => /^(?:a version|half)/.test(name),
  whole: () => true,
});

interface Moment {
  /** The part of the contents that must be stored. */
  stored: number;
  /** What else the stored data must show, with so many begun projects. */
  isMoment?: (begun: number, rows: number) => boolean;
}

/** Moments of an import, recognised from stored data. */
const moments: [string, Moment][] = [
  ['the first project is begun', { stored: 0, isMoment: (begun) => begun > 0 }],
  ['a version is stored', { stored: 0, isMoment: (begun, rows) => begun > 0 && rows > 2 }],
  ['some contents are stored', { stored: 0.2 }],
  ['half the contents are stored', { stored: 0.5 }],
  ['most of them are', { stored: 0.8 }],
];

/**
 * Starts an import and kills it at a moment, which is looked for after each change of stored data. It does
 * not run while that is done, so the moment is never missed.
 */
async function killImport({ cloud }: Owner, { stored, isMoment }: Moment): Promise<void> {
  const least = contentObjects(first.cloud.stateDir) * stored;
  const isNow = async () => {
    if (contentObjects(cloud.stateDir) <= least && stored > 0) return false;
    if (isMoment === undefined) return true;
    const projects = (await cloud.state()).rows['projects'] ?? [];
    return isMoment(projects.filter(isBegun).length, projects.length);
  };
  const changes = storedChanges(cloud.stateDir);
  const args = ['--from', out, '--state-dir', cloud.stateDir];
  const { child, ended } = startProgram('import', args);
  while (child.exitCode === null) {
    await Promise.race([changes.next(), ended]);
    child.kill('SIGSTOP');
    if (await isNow()) break;
    child.kill('SIGCONT');
  }
  child.kill('SIGKILL');
  await ended;
  changes.close();
}

describe('an import that is killed', () => {
  let caughtHalfDone = 0;
  beforeAll(async () => {
    await third.cloud.start();
    await third.signIn();
  });

  test.each(moments.filter(([name]) => isProved(name)))(
    'when %s has published complete projects or none',
    async (_, moment) => {
      await killImport(third, moment);
      const { rows } = await third.cloud.state();
      if ((rows['projects'] ?? []).some(isBegun)) caughtHalfDone += 1;
      const shown = await third.all();
      expect(rows['sites']).toHaveLength(shown.length);
      const archive = readArchive(out);
      const projects = archive.projects.filter(({ id }) => shown.some((one) => one.id === id));
      expect(projects).toHaveLength(shown.length);
      const active = projects.filter(({ archivedAt }) => archivedAt === null);
      expect((await usage(third.key, third.cloud.baseUrl)).projects).toBe(active.length);
      for (const { id, versions } of projects) {
        const history = (await third.get(`/v1/projects/${id}/status`)).json.data;
        expect(history).toHaveLength(versions.length);
      }
    },
  );

  test('was interrupted midway at least once, and the next import completes it', async () => {
    expect(caughtHalfDone).toBeGreaterThan(0);
    const args = ['--from', out, '--state-dir', third.cloud.stateDir];
    expect(await startProgram('import', args).ended).toMatchObject({ code: 0 });
    await third.cloud.advance(minutes * 60);
    const archive = readArchive(out);
    await expectSameSites(third, archive);
    const again = aFolder();
    expect((await exportOf(third, again)).code).toBe(0);
    expect(readArchive(again).projects).toEqual(archive.projects);
    const { rows, keys } = await third.cloud.state();
    expect((rows['projects'] ?? []).filter(isBegun)).toEqual([]);
    const stored = (await first.cloud.state()).keys;
    // The deleted project's files are kept there for a month.
    expect(keys.length).toBe(stored.filter((key) => !key.includes(ids.gone)).length);
  }, 600_000);

  test('and is never repeated is swept after a week', async () => {
    const fourth = new Owner(LocalCloud.withOwnSecrets(), anEmail());
    try {
      await fourth.cloud.start();
      await killImport(fourth, { stored: 0, isMoment: (begun) => begun > 0 });
      const state = async () => (await fourth.cloud.state()).rows['projects'] ?? [];
      const begun = (await state()).find(isBegun)?.['pk']?.S ?? '';
      expect(begun).not.toBe('');
      await fourth.cloud.advance(6 * 86_400);
      expect((await state()).some((row) => row['pk']?.S === begun)).toBe(true);
      await fourth.cloud.advance(86_400 + 60);
      expect((await state()).some((row) => row['pk']?.S === begun)).toBe(false);
      const { keys } = await fourth.cloud.state();
      expect(keys.filter((key) => key.includes(begun.replace('PROJECT#', '')))).toEqual([]);
    } finally {
      await fourth.cloud.remove();
    }
  });
});
