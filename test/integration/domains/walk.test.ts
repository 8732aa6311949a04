import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mailsTo, signIn, anEmail } from '../../fixtures/accounts/accounts.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { CustomerDomain } from '../../fixtures/domains/customer-domain.ts';
import { create, created } from '../../fixtures/projects/projects.ts';
import { patch } from '../../fixtures/projects/versions.ts';

const cloud = new LocalCloud('--domain-delay=30');
const email = anEmail();
let key = '';
beforeAll(async () => {
  await cloud.start();
  key = await signIn(email, cloud.baseUrl);
}, 600_000);
afterAll(() => cloud.remove());

/** What the local control planes hold. */
async function leftAtAws(): Promise<{ certificates: any[]; tenants: any[] }> {
  const { json } = await ask(`${cloud.baseUrl}/_local/state`);
  const { certificates, tenants } = json.domains ?? json;
  return { certificates, tenants };
}

/** A domain with the right records, and a check that names what is wrong with one of them. */
class Mistakes {
  readonly domain: CustomerDomain;
  readonly #records: any[];

  constructor(domain: CustomerDomain, records: any[]) {
    this.domain = domain;
    this.#records = records;
  }

  record(purpose: string) {
    return this.#records.find((one) => one.purpose === purpose);
  }

  /** Puts another record in the place of a right one, checks, and puts the right one back. */
  async replaced(purpose: string, ...others: [type: string, name: string, value: string][]) {
    const { type, name, value } = this.record(purpose);
    await this.domain.unset(type, name);
    for (const other of others) await this.domain.set(...other);
    const seen = await this.#seen(purpose);
    for (const [otherType, otherName] of others) await this.domain.unset(otherType, otherName);
    await this.domain.set(type, name, value);
    return seen;
  }

  /** Adds a record beside the right ones, checks, and removes it. */
  async beside(purpose: string, [type, name, value]: [string, string, string]) {
    await this.domain.set(type, name, value);
    const seen = await this.#seen(purpose);
    await this.domain.unset(type, name);
    return seen;
  }

  /** A wildcard that points elsewhere instead of to us, without the record itself. */
  async shadowed(purpose: string, target: string) {
    const { type, name, value } = this.record(purpose);
    const sites = this.record('sites');
    await this.domain.unset(type, name);
    await this.domain.unset(sites.type, sites.name);
    await this.domain.set('CNAME', sites.name, target);
    const seen = await this.#seen(purpose);
    await this.domain.unset('CNAME', sites.name);
    await this.domain.set(type, name, value);
    await this.domain.set(sites.type, sites.name, sites.value);
    return seen;
  }

  /** As a provider whose proxy is on: its own addresses instead of the record. */
  async proxied() {
    const { type, name, value } = this.record('sites');
    await this.domain.set('NS', this.domain.name, 'amy.ns.cloudflare.com');
    await this.domain.unset(type, name);
    await this.domain.set('A', name, '104.16.0.1');
    const seen = await this.#seen('sites');
    await this.domain.unset('A', name);
    await this.domain.unset('NS', this.domain.name);
    await this.domain.set(type, name, value);
    return seen;
  }

  async withBrokenDnssec(purpose: string) {
    await this.domain.configure({ dnssec: 'broken' });
    const seen = await this.#seen(purpose);
    await this.domain.configure({ dnssec: 'unsigned' });
    return seen;
  }

  async #seen(purpose: string) {
    // Ten checks a minute are allowed.
    await cloud.advance(10);
    const { status, records } = await this.domain.check();
    const { state, hint, found } = records.find((one: any) => one.purpose === purpose);
    return { status, state, hint, found };
  }
}

test('a domain from its first record to its removal', async () => {
  const domain = new CustomerDomain(cloud.baseUrl, key);
  const { name } = domain;
  const added = await domain.add();
  expect(added).toMatchObject({ domain: name, status: 'pending_verification', projects: [] });
  expect(added.records[1]).toMatchObject({ state: 'preparing', name: null });
  // The certificate is requested for a proven name only.
  expect((await leftAtAws()).certificates).toEqual([]);
  const { type, name: proofName, value } = added.records[0];
  await domain.set(type, proofName, value);
  await domain.check();
  expect((await leftAtAws()).certificates).toHaveLength(1);
  await cloud.advance(40);
  const { records } = await domain.check();
  expect(records.map((one: any) => [one.type, one.name, one.state])).toEqual([
    ['TXT', `_slipway.${name}`, 'ok'],
    ['CNAME', expect.stringMatching(/^_[0-9a-f]+\./), 'missing'],
    ['CNAME', `*.${name}`, 'missing'],
  ]);
  const mistakes = new Mistakes(domain, records);
  const target = mistakes.record('sites').value;
  await domain.setAll();

  // Every cause of error_dns, named.
  const wrong = (hint: RegExp) => ({
    status: 'error_dns',
    state: 'wrong',
    hint: expect.stringMatching(hint),
  });
  const sites = `*.${name}`;
  const validation = mistakes.record('certificate').name;
  expect(await mistakes.replaced('sites', ['CNAME', sites, 'elsewhere.example'])).toMatchObject(
    wrong(/points to elsewhere\.example/),
  );
  expect(await mistakes.replaced('sites', ['A', sites, '192.0.2.1'])).toMatchObject(
    wrong(/A or AAAA records \(192\.0\.2\.1\) are in the way/),
  );
  expect(await mistakes.replaced('sites', ['CNAME', sites, `${target}.${name}`])).toMatchObject(
    wrong(/appended the domain to the value/),
  );
  expect(
    await mistakes.replaced('ownership', [
      'TXT',
      `_slipway.${name}.${name}`,
      mistakes.record('ownership').value,
    ]),
  ).toMatchObject(wrong(/appended the domain to the name/));
  expect(
    await mistakes.replaced('ownership', ['TXT', `_slipway.${name}`, 'slipway-verification=old']),
  ).toMatchObject(wrong(/belongs to an earlier setup or to another account/));
  expect(
    await mistakes.replaced('certificate', ['CNAME', validation, 'wrong.example']),
  ).toMatchObject(wrong(/points to wrong\.example/));
  expect(
    await mistakes.beside('certificate', ['CAA', name, '0 issue "letsencrypt.org"']),
  ).toMatchObject(wrong(/allow certificates only from letsencrypt\.org/));
  expect(await mistakes.withBrokenDnssec('ownership')).toMatchObject(wrong(/DNSSEC is broken/));

  const appended: [string, string, string] = [
    'CNAME',
    `${validation}.${name}`,
    mistakes.record('certificate').value,
  ];
  expect(await mistakes.replaced('certificate', appended)).toMatchObject(
    wrong(/appended the domain to the name/),
  );
  expect(await mistakes.beside('certificate', ['CAA', name, '0 issuewild ";"'])).toMatchObject(
    wrong(/only from nobody/),
  );

  for (const purpose of ['ownership', 'certificate']) {
    expect(await mistakes.shadowed(purpose, 'parking.example')).toMatchObject(
      wrong(/points to parking\.example\. It is probably a wildcard/),
    );
  }
  expect(await mistakes.proxied()).toMatchObject(wrong(/proxy of your DNS provider/));

  // The right records.
  const statuses: string[] = [];
  for (let count = 0; count < 12 && statuses.at(-1) !== 'ssl_active'; count += 1) {
    await cloud.advance(10);
    statuses.push((await domain.check()).status);
  }
  expect([...new Set(statuses)]).toEqual(['active', 'ssl_pending', 'ssl_active']);
  expect(await leftAtAws()).toMatchObject({
    certificates: [{ status: 'ISSUED' }],
    tenants: [{ status: 'Deployed', config: { enabled: true } }],
  });

  // Projects beneath it: assigned, made there, brought back.
  const { projectId } = await created(key, { service: cloud.baseUrl });
  const assign = (body: object) => patch(key, projectId, body, cloud.baseUrl);
  expect((await assign({ domainId: domain.id, slug: 'pier' })).status).toBe(200);
  expect((await ask(`${domain.url('pier')}/`)).text).toContain('Mine');
  const second = await created(key, {
    fields: { domainId: domain.id, slug: 'tide-tables' },
    files: [file('index.html', '<h1>Shop')],
    service: cloud.baseUrl,
  });
  expect(second.url).toBe(domain.url('tide-tables'));
  expect((await ask(`${second.url}/`)).text).toContain('Shop');
  const refused = await create(key, {
    fields: { domainId: domain.id, slug: 'tide-tables' },
    service: cloud.baseUrl,
  });
  expect(refused.json.code).toBe('SLUG_TAKEN');
  expect((await assign({ slug: 'harbour' })).status).toBe(200);
  expect((await ask(`${domain.url('harbour')}/`)).text).toContain('Mine');

  // What nobody has says nothing of this service.
  for (const slug of ['pier', 'nobody', '', 'www']) {
    const missing = await ask(`${domain.url(slug)}/`);
    expect({ slug, status: missing.status, to: missing.headers.location }).toEqual({
      slug,
      status: 404,
      to: undefined,
    });
    expect(missing.text).toContain('There is nothing at this address');
    expect(missing.text).not.toMatch(/Slipway|<svg|<footer|localhost/);
  }

  // One of them at the bare name too.
  const root = await domain.change({ rootProjectId: projectId });
  expect(root.json.data).toMatchObject({ rootProjectId: projectId, projectCount: 2 });
  expect(root.json.data.records.at(-1)).toMatchObject({
    purpose: 'root',
    type: 'ALIAS',
    name,
    value: target,
  });
  await domain.set('A', name, '203.0.113.7');
  expect((await domain.check()).records.at(-1)).toMatchObject({
    state: 'unknown',
    hint: expect.stringContaining('(203.0.113.7)'),
  });
  await domain.unset('A', name);
  await domain.set('A', name, '127.0.0.1');
  expect((await domain.check()).records.at(-1)).toMatchObject({ purpose: 'root', state: 'ok' });
  for (const slug of ['', 'www', 'harbour']) {
    expect((await ask(`${domain.url(slug)}/`)).text).toContain('Mine');
  }
  const unknown = await domain.change({ rootProjectId: domain.id });
  expect(unknown.json).toMatchObject({ code: 'NOT_FOUND' });
  expect((await assign({ slug: 'quay' })).status).toBe(200);
  expect((await ask(`${domain.url('')}/`)).text).toContain('Mine');

  // It leaves the domain, and the bare name with it.
  expect((await assign({ domainId: null })).status).toBe(200);
  for (const slug of ['', 'www', 'quay']) {
    expect((await ask(`${domain.url(slug)}/`)).status).toBe(404);
  }
  expect(await domain.shown()).toMatchObject({ rootProjectId: null, projectCount: 1 });
  expect((await ask(`http://quay.sites.localhost:${new URL(cloud.baseUrl).port}/`)).text).toContain(
    'Mine',
  );
  await domain.change({ rootProjectId: second.projectId });
  expect((await ask(`${domain.url('www')}/`)).text).toContain('Shop');

  // Nothing is left of it.
  expect((await domain.remove()).json.data).toEqual({ deleted: true });
  for (const slug of ['', 'www', 'tide-tables']) {
    expect((await ask(`${domain.url(slug)}/`)).status).not.toBe(200);
  }
  for (let minute = 0; minute < 4; minute += 1) await cloud.advance(60);
  // The certificate is kept for as long as the name is held.
  expect(await leftAtAws()).toMatchObject({ certificates: [{ status: 'ISSUED' }], tenants: [] });
  const { rows } = await cloud.state();
  expect(JSON.stringify(rows['sites'])).not.toContain('root#');
  expect(JSON.stringify(rows['projects'])).not.toContain(`DOMAIN#${domain.id}`);
  const shop = `http://tide-tables.sites.localhost:${new URL(cloud.baseUrl).port}/`;
  expect((await ask(shop)).text).toContain('Shop');
  expect((await mailsTo(email, cloud.baseUrl)).length).toBe(1);

  // The operator removes what owners have left, before the service is destroyed.
  const last = new CustomerDomain(cloud.baseUrl, key);
  await last.add();
  await last.setAll();
  await last.check();
  await cloud.advance(40);
  await last.check();
  await last.setAll();
  for (let minute = 0; minute < 4; minute += 1) await cloud.advance(60);
  expect((await last.shown()).status).toBe('ssl_active');
  const removeDomain = (...args: string[]) =>
    adminCommand('remove-domain', ...args, '--state-dir', cloud.stateDir);
  const other = await removeDomain('other.localhost');
  expect(other.stdout).toBe('Nothing is left of other.localhost.\n');
  expect((await removeDomain('--all')).stdout).toContain(`\n  ${last.name}\n`);
  expect(await last.shown()).toBeUndefined();
  for (let minute = 0; minute < 4; minute += 1) await cloud.advance(60);
  expect(await leftAtAws()).toEqual({ certificates: [], tenants: [] });
  expect((await removeDomain('--all')).stdout).toBe('No custom domain is left.\n');
}, 600_000);
