import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { anEmail, get, post, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminProgram } from '../../fixtures/accounts/admin.ts';
import { callTool } from '../../fixtures/agents/mcp.ts';
import { ask, file, somebody, sharedCloud } from '../../fixtures/clouds/client.ts';
import { CustomerDomain } from '../../fixtures/domains/customer-domain.ts';
import { create, created } from '../../fixtures/projects/projects.ts';
import { patch, push } from '../../fixtures/projects/versions.ts';
import { runExport, runImport } from '../../fixtures/accounts/transfer.ts';
import { createOwnerLink, redeem, unlock } from '../../fixtures/visits/access.ts';
import { linked, uploadTo } from '../../fixtures/uploads/upload-links.ts';
import { look, open, whenCounted } from '../../fixtures/visits/opens.ts';

const service = sharedCloud.baseUrl;
const forWorker = { 'service-worker': 'script', 'sec-fetch-dest': 'serviceworker' };
let key = '';
let domain: CustomerDomain;
let projectId = '';

beforeAll(async () => {
  key = await signIn();
  domain = await new CustomerDomain(service, key).serve();
  const fields = { domainId: domain.id, slug: 'pier', spa: 'false' };
  // A document: the script that counts opens is not put into a fragment.
  const files = [file('index.html', '<!doctype html><h1>Mine</h1>')];
  projectId = (await created(key, { fields, files })).projectId;
  await domain.change({ rootProjectId: projectId });
}, 60_000);

describe.each(['pier', '', 'www'])('beneath a custom domain, at the name “%s”', (slug) => {
  test('a visit and an open are counted', async () => {
    const before = (await whenCounted(key, projectId, () => true)).opens.total;
    const page = await look(domain.url(slug));
    expect(page.body.toString()).toContain(`<script src="${domain.url(slug)}/_slipway/assets/`);
    expect((await open(domain.url(slug))).status).toBe(204);
    const data = await whenCounted(key, projectId, ({ opens }) => opens.total > before);
    expect(data.opens.total).toBe(before + 1);
  });

  test('the edge keeps nothing that it could not be told to forget', async () => {
    for (let count = 0; count < 2; count += 1) {
      const { headers } = await ask(`${domain.url(slug)}/`);
      expect(headers['x-cache']).not.toBe('Hit from cloudfront');
    }
  });

  test('a link to the oEmbed data leads to the page', async () => {
    const { headers } = await ask(`${domain.url(slug)}/`);
    const [, link = ''] = /<([^>]+)>/.exec(String(headers.link)) ?? [];
    expect((await ask(link)).json.title).toBe('A title');
  });

  test('a report of abuse is accepted', async () => {
    const said = { reason: 'phishing', message: 'It asks for my card.' };
    const sent = await post('/_slipway/report', said, {
      service: domain.url(slug),
      from: somebody(),
    });
    expect(sent.status).toBe(202);
  });

  test('nothing of the app and its API answers', async () => {
    for (const path of ['/v1', '/v1/user', '/health', '/mcp', '/dashboard', '/oauth/authorize']) {
      const headers = { authorization: `Bearer ${key}` };
      expect([path, (await ask(domain.url(slug) + path, { headers })).status]).toEqual([path, 404]);
      const sent = await ask(domain.url(slug) + path, { method: 'POST', headers, body: '{}' });
      expect([path, sent.status]).toEqual([path, 403]);
    }
    for (const path of ['/_slipway/../v1/user', '/_slipway/%2e%2e/v1/user', '/_slipway/v1/user']) {
      expect([path, (await ask(domain.url(slug) + path)).status]).toEqual([path, 404]);
    }
  });
});

test('a password unlocks one host, with a cookie of that host alone', async () => {
  const site = await created(key, {
    fields: { domainId: domain.id, slug: 'lock', access: 'password', password: 'open sesame' },
  });
  expect((await ask(`${site.url}/`)).status).toBe(401);
  const { status, headers } = await unlock(site.url, 'open sesame', { from: somebody() });
  const [cookie = ''] = headers['set-cookie'] ?? [];
  expect(status).toBe(303);
  expect(cookie).toMatch(/^__Host-slipway-access=.*Path=\/; Secure; HttpOnly/);
  expect(cookie).not.toMatch(/domain=/i);
  const sent = { headers: { cookie: cookie.split(';')[0] } };
  expect((await ask(`${site.url}/`, sent)).status).toBe(200);
});

test('an owner link leads to the custom host, and works there', async () => {
  await patch(key, projectId, { access: 'private' });
  const { url } = (await createOwnerLink(key, projectId, service)).json.data;
  expect(url.startsWith(`${domain.url('pier')}/_slipway/owner/`)).toBe(true);
  const [cookie = ''] = (await redeem(url)).headers['set-cookie'] ?? [];
  const headers = { cookie: cookie.split(';')[0] };
  expect((await ask(`${domain.url('pier')}/`, { headers })).status).toBe(200);
  expect((await ask(`${domain.url('pier')}/`)).status).toBe(401);
  expect((await ask(`${domain.url('')}/`)).status).toBe(401);
  await patch(key, projectId, { access: 'public' });
});

test('a service worker is removed where a domain has no project', async () => {
  const { status, headers, text } = await ask(`${domain.url('nobody')}/sw.js`, {
    headers: forWorker,
  });
  expect({ status, type: headers['content-type'] }).toEqual({
    status: 200,
    type: expect.stringContaining('javascript'),
  });
  expect(text).toContain('unregister');
  expect((await ask(`${domain.url('nobody')}/sw.js`)).status).toBe(404);
});

test('forms of a name that nobody has answer 404, and name no service', async () => {
  const forms = [
    await unlock(domain.url('nobody'), 'open sesame', { from: somebody() }),
    await ask(`${domain.url('nobody')}/_slipway/owner/x`),
    await ask(`${domain.url('nobody')}/_slipway/preview/x`),
    await ask(`${domain.url('nobody')}/_slipway/report`),
    await ask(`${domain.url('nobody')}/_slipway/zip`),
  ];
  for (const { status, text } of forms) {
    expect(status).toBe(404);
    expect(text).not.toMatch(/Published with|<svg/);
  }
});

test('of two addresses of a moved project, one answers', async () => {
  const moved = await created(key, { fields: { slug: `m-${domain.name.slice(2, 12)}` } });
  expect((await ask(`${moved.url}/`)).status).toBe(200);
  await patch(key, moved.projectId, { domainId: domain.id, slug: 'moved' });
  expect((await ask(`${moved.url}/`)).status).toBe(404);
  expect((await ask(`${domain.url('moved')}/`)).status).toBe(200);
  await patch(key, moved.projectId, { domainId: null, slug: moved.slug });
  expect((await ask(`${domain.url('moved')}/`)).status).toBe(404);
  expect((await ask(`${moved.url}/`)).status).toBe(200);
});

test('agents and guests of an upload link publish there too', async () => {
  const site = await callTool(key, 'publish_site', {
    files: [{ path: 'index.html', content: '<h1>Agent' }],
    slug: 'agent',
    domainId: domain.id,
  });
  expect(site.structuredContent.url).toBe(domain.url('agent'));
  const link = await linked(key, { domainId: domain.id });
  const sent = await uploadTo(link.uploadUrl, [file('guest.txt')]);
  expect(new URL(sent.json.data.url).hostname.endsWith(`.${domain.name}`)).toBe(true);
  const unknown = await callTool(key, 'publish_site', {
    files: [{ path: 'index.html', content: '<h1>Agent' }],
    domainId: projectId,
  });
  expect(unknown.content[0].text).toContain('which custom domain to use');
});

describe('without a paid plan', () => {
  test('every call about domains, and every assignment, is refused', async () => {
    const email = anEmail();
    const free = await signIn(email);
    const args = ['set-plan', email, 'free', '--state-dir', sharedCloud.stateDir];
    const { code, stderr } = await adminProgram(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { projectId: own } = await created(free);
    const { id } = domain;
    const answers = [
      await get('/v1/domains', free),
      await sendWith(free, `${service}/v1/domains`, { domain: 'free.localhost' }),
      await get(`/v1/domains/${id}`, free),
      await sendWith(free, `${service}/v1/domains/${id}`, { rootProjectId: null }, 'PATCH'),
      await sendWith(free, `${service}/v1/domains/${id}/check`),
      await sendWith(free, `${service}/v1/domains/${id}`, undefined, 'DELETE'),
      await create(free, { fields: { domainId: id } }),
      await patch(free, own, { domainId: id }),
      await sendWith(free, `${service}/v1/upload-links`, { domainId: id }),
    ];
    for (const { status, json } of answers) {
      expect([status, json.code, json.requiredTier]).toEqual([
        403,
        'FREE_TIER_RESTRICTED',
        'starter',
      ]);
    }
  });

  test('another account knows nothing of the domain', async () => {
    const stranger = await signIn();
    const { id } = domain;
    const answers = [
      await get(`/v1/domains/${id}`, stranger),
      await sendWith(stranger, `${service}/v1/domains/${id}`, { rootProjectId: null }, 'PATCH'),
      await sendWith(stranger, `${service}/v1/domains/${id}/check`),
      await sendWith(stranger, `${service}/v1/domains/${id}`, undefined, 'DELETE'),
      await create(stranger, { fields: { domainId: id }, files: [file('a.txt')] }),
    ];
    for (const { status, json } of answers) expect([status, json.code]).toEqual([404, 'NOT_FOUND']);
  });
});

test('an import restores a project beneath its domain, or beneath another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-domain-export-'));
  await runExport(service, key, folder);
  const path = join(folder, 'export.json');
  const archive = JSON.parse(readFileSync(path, 'utf8'));
  const exported = archive.projects.find(({ id }: { id: string }) => id === projectId);
  // Another project with the same files: this one is still there.
  const restored = { ...exported, id: randomUUID(), slug: 'again' };
  writeFileSync(path, JSON.stringify({ ...archive, projects: [exported, restored] }));
  const into = (...more: string[]) =>
    runImport('--from', folder, '--state-dir', sharedCloud.stateDir, ...more);
  const refused = await into('--domain', 'nobody.example');
  expect(refused.stderr).toContain('no custom domain nobody.example that takes projects');
  const { projectCount } = await domain.shown();
  expect((await into('--domain', domain.name)).stdout).toContain('1 restored, 1 already there');
  rmSync(folder, { recursive: true });
  expect((await ask(`${domain.url('again')}/`)).status).toBe(200);
  expect((await domain.shown()).projectCount).toBe(projectCount + 1);
});

test('a named preview has an address of the domain, and none of a project elsewhere', async () => {
  const page = [file('index.html', '<h1>A preview')];
  const at = `${projectId}/previews/pr-1`;
  expect((await push(key, at, page)).json.data.url).toBe(domain.url('pier--pr-1'));
  expect((await ask(domain.url('pier--pr-1'))).text).toContain('<h1>A preview');
  const { projectId: other, slug } = await created(key);
  expect((await push(key, `${other}/previews/pr-1`, page)).status).toBe(200);
  expect((await ask(domain.url(`${slug}--pr-1`))).status).toBe(404);
});
