import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { temporaryLifetimeSeconds } from '../../../contract/limits.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { anEmail, get, post, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file, somebody } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import {
  claim,
  create,
  created,
  remove,
  temporary,
  usage,
} from '../../fixtures/projects/projects.ts';
import { openPreview, preview, push } from '../../fixtures/projects/preview.ts';

const cloud = new LocalCloud('plans.free.maxProjects=1', 'trialDays=0');
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

const admin = (...args: string[]) => adminCommand(...args, '--state-dir', cloud.stateDir);
const day = 24 * 3600;
const files = [
  file('index.html', '<h1>Mine</h1><link rel=stylesheet href=style.css>'),
  file('style.css', 'body{}'),
];

async function anOwner() {
  const email = anEmail();
  return { email, key: await signIn(email, cloud.baseUrl) };
}

const make = (key: string, fields: Record<string, string> = {}): Promise<any> =>
  created(key, { fields, files, service: cloud.baseUrl });

async function view(key: string, projectId: string) {
  return (await get(`/v1/projects/${projectId}`, key, cloud.baseUrl)).json.data;
}

async function statusesOf(url: string, paths = ['/', '/style.css']): Promise<number[]> {
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await ask(url + path)).status);
  return statuses;
}

async function sitesAndSums() {
  const { rows } = await cloud.state();
  return [rows['sites'], rows['accounts']];
}

/** One line on the error output, nothing else, and exit code 1. */
function refused(reason: RegExp) {
  return { code: 1, stdout: '', stderr: expect.stringMatching(reason) };
}

const done = { code: 0, stderr: '' };

describe('takedown', () => {
  test('blocks the address even after the project is deleted, but not for its restoration', async () => {
    const { key } = await anOwner();
    const fields = { slug: 'taken-down-for-good' };
    const { projectId, url } = await make(key, fields);
    await admin('takedown', projectId, '--reason', 'x');
    await remove(key, projectId, cloud.baseUrl);
    const again = await create(key, { fields, files, service: cloud.baseUrl });
    expect(again.json.code).toBe('SLUG_TAKEN');
    expect(await statusesOf(url)).toEqual([404, 404]);
    expect(await admin('restore', projectId)).toMatchObject(done);
    expect(await statusesOf(url)).toEqual([451, 451]);
  });

  test('of a project that its owner deleted meanwhile holds when the owner restores it', async () => {
    const { key } = await anOwner();
    const { projectId, url } = await make(key);
    await remove(key, projectId, cloud.baseUrl);
    expect(await statusesOf(url)).toEqual([404, 404]);
    const refusal = /no site is served .* by its id/;
    expect(await admin('takedown', url, '--reason', 'x')).toMatchObject(refused(refusal));
    expect(await admin('takedown', projectId, '--reason', 'It asks for cards.')).toMatchObject(
      done,
    );
    const restored = await sendWith(key, `${cloud.baseUrl}/v1/projects/${projectId}/restore`, {});
    expect(restored.status).toBe(200);
    expect(await statusesOf(url)).toEqual([451, 451]);
    await remove(key, projectId, cloud.baseUrl);
    expect(await admin('release', projectId)).toMatchObject(done);
    expect(await admin('restore', projectId)).toMatchObject(done);
    expect(await statusesOf(url)).toEqual([200, 200]);
  });

  test('blocks a project for everybody immediately, even if the edge has cached it; release unblocks it', async () => {
    const { key, email } = await anOwner();
    await admin('set-plan', email, 'pro');
    const { projectId, url } = await make(key);
    await statusesOf(url);
    expect(await statusesOf(url)).toEqual([200, 200]);

    const down = await admin('takedown', projectId, '--reason', 'It asks for cards.');
    expect(down).toMatchObject(done);
    expect(down.stdout).toMatch(/^taken down {2}since 20\S+Z: It asks for cards\.$/m);
    expect(await statusesOf(url)).toEqual([451, 451]);
    expect((await ask(`${url}/`)).text).not.toContain('cards');
    expect(await view(key, projectId)).toMatchObject({
      status: 'public',
      takedown: { reason: 'It asks for cards.', at: expect.stringMatching(/^20.*Z$/) },
    });
    expect((await push(key, projectId, files, cloud.baseUrl)).status).toBe(200);
    expect(await statusesOf(url)).toEqual([451, 451]);

    const host = new URL(url).hostname;
    const again = await admin('takedown', host.toUpperCase(), '--reason', 'Still.');
    expect(again).toMatchObject(done);
    expect((await view(key, projectId)).takedown.reason).toBe('Still.');

    const released = await admin('release', `${url}/style.css`);
    expect(released).toMatchObject(done);
    expect(released.stdout).toMatch(/^taken down {2}no$/m);
    expect(await statusesOf(url)).toEqual([200, 200]);
    expect(await view(key, projectId)).not.toHaveProperty('takedown');
    expect(await admin('release', projectId)).toMatchObject(done);
  });

  test('purges the edge again a minute later', async () => {
    const { key } = await anOwner();
    const { projectId } = await make(key);
    await cloud.advance(120);
    await admin('takedown', projectId, '--reason', 'x');
    const purge = (rows: any[]) =>
      rows.filter(({ pk, sk }) => pk.S === `PROJECT#${projectId}` && sk.S === 'PURGE');
    expect(purge((await cloud.state()).rows['projects'] ?? [])).toHaveLength(1);
    await cloud.advance(120);
    expect(purge((await cloud.state()).rows['projects'] ?? [])).toHaveLength(0);
  });

  test('of a temporary project continues after its claim', async () => {
    const { projectId, url, claimToken } = await temporary(files, cloud.baseUrl);
    expect(await admin('takedown', projectId, '--reason', 'x')).toMatchObject(done);
    expect(await statusesOf(url)).toEqual([451, 451]);
    const { key } = await anOwner();
    expect((await claim(key, claimToken, cloud.baseUrl)).status).toBe(200);
    expect(await statusesOf(url)).toEqual([451, 451]);
    expect((await view(key, projectId)).takedown.reason).toBe('x');
  });

  test('applies to previews as well', async () => {
    const { key, email } = await anOwner();
    await admin('set-plan', email, 'pro');
    const { projectId, url } = await make(key);
    const link = (await preview(key, projectId, 1, cloud.baseUrl)).json.data.url;
    const headers = { cookie: await openPreview(link) };
    await admin('takedown', projectId, '--reason', 'x');
    expect((await ask(`${url}/`, { headers })).status).toBe(451);
  });

  test.each([
    ['0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11', /^There is no project 0b7e.*\n$/],
    ['nobody.sites.localhost', /^nobody\.sites\.localhost is not a project id.*\n$/],
    ['https://', /is not a project id.*\n$/],
  ])('of %s changes nothing', async (target, reason) => {
    const before = (await cloud.state()).rows['sites'];
    expect(await admin('takedown', target, '--reason', 'x')).toEqual(refused(reason));
    expect(await admin('release', target)).toEqual(refused(reason));
    expect((await cloud.state()).rows['sites']).toEqual(before);
  });
});

describe('reports', () => {
  test('are listed by project, oldest first, without terminal control characters, until they are resolved', async () => {
    const { projectId, url } = await temporary(files, cloud.baseUrl);
    const { url: other } = await temporary(files, cloud.baseUrl);
    const send = (body: object, service = url) =>
      post('/_slipway/report', body, { service, from: somebody() });
    await send({ reason: 'malware', message: 'First' });
    await send({ reason: 'other', message: 'Another site' }, other);
    const hostile = 'Last\u001B[2J\u202Eof\nat          2020-01-01T00:00:00.000Z';
    await send({ reason: 'phishing', message: hostile, email: 'eve@example.org', url: '/a\u0007' });
    const { stdout, stderr, code } = await admin('reports', '--limit', '2');
    expect({ code, stderr }).toEqual(done);
    const [first = '', second = '', more = ''] = stdout.split('\n\n');
    expect(first).toMatch(/^project {5}\S+\nhost {8}\S+\nopen {8}2\nsince {7}20\S+Z\n/);
    expect(first).toContain(`project     ${projectId}`);
    expect(first).toContain('last number 2\nreport      2\nat');
    expect(first).toContain('from        eve@example.org');
    expect(first).toContain('page        /a\uFFFD\n');
    expect(first).toContain('  | Last\uFFFD[2J\uFFFDof\n  | at          2020');
    expect(first).toContain('from        no e-mail address given\n  | First');
    expect(second).toContain('  | Another site');
    for (const control of ['\u001B', '\u202E', '\u0007']) expect(stdout).not.toContain(control);
    const [, from = ''] = /^More: --at (\S+)/.exec(more) ?? [];
    expect((await admin('reports', '--at', from)).stdout).not.toContain('First');
    expect((await admin('reports', '--limit', '1')).stdout.match(/^host/gm)).toHaveLength(3);

    const resolve = () => admin('resolve', projectId, '2', '--reason', 'A joke.');
    expect(await resolve()).toEqual({ ...done, stdout: 'Reports that were resolved: 2.\n' });
    expect((await admin('reports')).stdout).not.toContain(projectId);
    expect(await resolve()).toEqual(refused(/^These reports were resolved/));
  });

  test('outlive their project', async () => {
    const { url } = await temporary(files, cloud.baseUrl);
    const message = 'About what is gone soon';
    await post('/_slipway/report', { reason: 'other', message }, { service: url });
    await cloud.advance(90 * day);
    expect((await ask(`${url}/`)).status).toBe(410);
    const { rows } = await cloud.state();
    const kept = rows['projects']?.filter((row) => row['message']?.S === message);
    expect(kept).toHaveLength(1);
    await cloud.advance(91 * day);
    const { rows: later } = await cloud.state();
    expect(JSON.stringify(later['projects'])).not.toContain(message);
  });
});

describe('restore', () => {
  test('restores a deleted project unchanged', async () => {
    const { key, email } = await anOwner();
    const { projectId, url } = await make(key, { title: 'My work' });
    const before = await view(key, projectId);
    const used = await usage(key, cloud.baseUrl);
    await statusesOf(url);
    expect((await remove(key, projectId, cloud.baseUrl)).status).toBe(200);
    expect(await statusesOf(url)).toEqual([404, 404]);

    const listed = await admin('deleted', email);
    expect(listed).toMatchObject(done);
    expect(listed.stdout).toContain(`id          ${projectId}\n`);
    expect(listed.stdout).toContain('title       My work\n');
    expect(listed.stdout).toMatch(/^kept until {2}20\S+Z$/m);

    const restored = await admin('restore', projectId);
    expect(restored).toMatchObject(done);
    expect(await statusesOf(url)).toEqual([200, 200]);
    expect(await view(key, projectId)).toEqual({
      ...before,
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect(await usage(key, cloud.baseUrl)).toEqual(used);
    expect((await get('/v1/projects', key, cloud.baseUrl)).json.data.projects).toHaveLength(1);
    expect((await admin('deleted', email)).stdout).toBe(
      'There are no deleted projects that can be restored.\n',
    );
    expect(await admin('restore', projectId)).toEqual(
      refused(/^There is no deleted project .*\n$/),
    );
    // It is not removed when it would have been.
    await cloud.advance(31 * day);
    expect(await statusesOf(url)).toEqual([200, 200]);
  });

  test('may exceed the plan’s limits, and explains when the address is taken', async () => {
    const { key } = await anOwner();
    const slug = 'wanted-by-two';
    const { projectId } = await make(key, { slug });
    await remove(key, projectId, cloud.baseUrl);
    const second = await make(key, { slug });
    expect((await create(key, { service: cloud.baseUrl })).status).toBe(403);

    const before = await sitesAndSums();
    expect(await admin('restore', projectId)).toEqual(
      refused(
        /^The address wanted-by-two\.sites\.localhost is in use by another project\. .* --slug\.\n$/,
      ),
    );
    expect(await sitesAndSums()).toEqual(before);
    expect(await admin('restore', projectId, '--slug', 'back-again')).toMatchObject(done);
    const { url } = await view(key, projectId);
    expect(new URL(url).hostname).toBe('back-again.sites.localhost');
    expect(await statusesOf(url)).toEqual([200, 200]);
    expect(await statusesOf(second.url)).toEqual([200, 200]);
    expect((await usage(key, cloud.baseUrl)).projects).toBe(2);
  });

  test('of an archived project does not count', async () => {
    const { key, email } = await anOwner();
    await admin('set-plan', email, 'pro');
    const { projectId, url } = await make(key);
    const headers = { authorization: `Bearer ${key}` };
    await ask(`${cloud.baseUrl}/v1/projects/${projectId}/archive`, { method: 'POST', headers });
    await remove(key, projectId, cloud.baseUrl);
    expect(await admin('restore', projectId)).toMatchObject(done);
    expect((await view(key, projectId)).status).toBe('archived');
    expect(await usage(key, cloud.baseUrl)).toEqual({ projects: 0, bytes: 0 });
    expect(await statusesOf(url)).toEqual([404, 404]);
  });

  test('restores a project into its workspace, or into none if that was deleted', async () => {
    const { key, email } = await anOwner();
    await admin('set-plan', email, 'pro');
    const workspaces = `${cloud.baseUrl}/v1/workspaces`;
    const workspaceId = (await sendWith(key, workspaces, { name: 'A' })).json.data.id;
    const { projectId, url } = await make(key, { workspaceId });
    await remove(key, projectId, cloud.baseUrl);
    expect(await admin('restore', projectId)).toMatchObject(done);
    expect((await view(key, projectId)).workspaceId).toBe(workspaceId);
    const counts = async () => {
      const { rows } = await cloud.state();
      const own = rows['accounts']?.filter(({ sk }) => sk?.S === `WORKSPACE#${workspaceId}`) ?? [];
      return own.map(({ projectCount }) => projectCount?.N);
    };
    expect(await counts()).toEqual(['1']);

    await remove(key, projectId, cloud.baseUrl);
    expect(await counts()).toEqual(['0']);
    const gone = await sendWith(key, `${workspaces}/${workspaceId}`, undefined, 'DELETE');
    expect(gone.status).toBe(200);
    expect(await admin('restore', projectId)).toMatchObject(done);
    expect((await view(key, projectId)).workspaceId).toBeNull();
    expect(await statusesOf(url)).toEqual([200, 200]);
    expect(await counts()).toEqual([]);
  });

  test('of two concurrent calls with two addresses restores it once', async () => {
    const { key } = await anOwner();
    const { projectId } = await make(key);
    const used = await usage(key, cloud.baseUrl);
    await remove(key, projectId, cloud.baseUrl);
    const before = (await cloud.state()).rows['sites']?.length ?? 0;
    const outcomes = await Promise.all(
      ['two-at-once', 'once-for-two'].map((slug) => admin('restore', projectId, '--slug', slug)),
    );
    expect(outcomes.map(({ code }) => code)).toEqual(expect.arrayContaining([0, 1]));
    expect(await usage(key, cloud.baseUrl)).toEqual(used);
    expect((await cloud.state()).rows['sites']).toHaveLength(before + 1);
    expect(await statusesOf((await view(key, projectId)).url)).toEqual([200, 200]);
  });

  test.each([
    ['a project that is not deleted', async (key: string) => (await make(key)).projectId],
    [
      'a temporary project whose time is over',
      async () => {
        const { projectId } = await temporary(files, cloud.baseUrl);
        await cloud.advance(temporaryLifetimeSeconds + 60);
        return projectId;
      },
    ],
    [
      'a project that was deleted too long ago',
      async (key: string) => {
        const { projectId } = await make(key);
        await remove(key, projectId, cloud.baseUrl);
        await cloud.advance(30 * day + 60);
        return projectId;
      },
    ],
  ])('of %s is refused', async (_, prepare) => {
    const { key, email } = await anOwner();
    const projectId = await prepare(key);
    expect(await admin('restore', projectId)).toEqual(
      refused(/^There is no deleted project .*\n$/),
    );
    expect((await admin('deleted', email)).stdout).toBe(
      'There are no deleted projects that can be restored.\n',
    );
  });
});
