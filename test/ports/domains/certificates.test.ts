import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { accountKey } from '../../../adapters/dynamodb/accounts/account-rows.ts';
import { readLedger } from '../../../adapters/dynamodb/domains/certificate-rows.ts';
import { DomainId } from '../../../contract/fields.ts';
import { requestsOfYear } from '../../../core/domains/certificate-budget.ts';
import { addDomain, checkDomain } from '../../../core/domains/manage-domains.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let names = 0;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const newName = () => `certified-${(names += 1)}.com`;
const day = 24 * 60;

const used = async (world: DomainWorld) =>
  requestsOfYear(await readLedger(stores.client, tables.projects), world.now);

const stored = (world: DomainWorld, id: string) => world.deps().domains.get(DomainId.parse(id));

/** Adds a domain to an account whose plan has no limit of domains. */
async function addOnScale(world: DomainWorld, domain: string): Promise<string> {
  const caller = world.caller(0);
  const account = { ...caller.account, tier: 'scale' as const };
  return (await addDomain(world.deps(), { ...caller, account }, { domain })).id;
}

/** Adds a domain whose zone has the proof and all records. */
async function proven(world: DomainWorld, account: number, name: string): Promise<string> {
  world.prove(account, name);
  world.route(name);
  return (await world.add(account, name)).id;
}

test('domains without proof get no certificate, however long they wait', async () => {
  const world = await new DomainWorld(stores).open(1);
  await world.setTier(0, 'scale');
  const before = await used(world);
  const all: { id: string; name: string }[] = [];
  for (let count = 0; count < 30; count += 1) {
    const name = newName();
    world.route(name);
    all.push({ id: await addOnScale(world, name), name });
  }
  await world.minutes(2);
  await world.minutes(4 * day, day);
  expect(world.outside.requested).toEqual([]);
  expect(await used(world)).toBe(before);

  // The proof that the zone carried for another account is none.
  const [first = { id: '', name: '' }] = all;
  world.outside.set('TXT', `_slipway.${first.name}`, 'slipway-verification=another');
  await world.check(0, first.id);
  expect(world.outside.requested).toEqual([]);
  world.prove(0, first.name);
  const checked = await world.check(0, first.id);
  expect(world.outside.requested).toEqual([first.name]);
  expect(checked.records[1]).toMatchObject({ name: `_a.${first.name}` });
  expect(await used(world)).toBe(before + 1);
});

test('no certificate is requested while CAA forbids it', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = newName();
  world.outside.set('CAA', name, 'issue letsencrypt.org');
  const id = await proven(world, 0, name);
  const refused = await world.check(0, id);
  expect(refused.status).toBe('error_dns');
  expect(refused.records[1]?.hint).toContain('letsencrypt.org');
  expect(world.outside.requested).toEqual([]);
  world.outside.unset('CAA', name);
  await world.check(0, id);
  expect(world.outside.requested).toEqual([name]);
});

test('the certificate of a removed name is kept for 30 days, for whoever proves the name', async () => {
  const world = await new DomainWorld(stores).open(2);
  const name = newName();
  const first = await proven(world, 0, name);
  await world.minutes(4);
  const certificateArn = (await stored(world, first))?.certificateArn;
  await world.remove(0, first);
  await world.minutes(2);

  // Whoever only adds the name gets nothing.
  world.outside.unset('TXT', `_slipway.${name}`);
  const again = await world.add(0, name);
  await world.minutes(2);
  expect(await stored(world, again.id)).toMatchObject({ certificateArn: null });
  world.prove(0, name);
  await world.check(0, again.id);
  expect(await stored(world, again.id)).toMatchObject({ certificateArn });
  await world.minutes(4);
  expect((await world.check(0, again.id)).status).toBe('ssl_active');

  await world.remove(0, again.id);
  await world.minutes(2);
  const others = await proven(world, 1, name);
  await world.check(1, others);
  expect(await stored(world, others)).toMatchObject({ certificateArn });
  await world.minutes(4);
  expect((await world.check(1, others)).status).toBe('ssl_active');
  expect(world.outside.requested).toEqual([name]);

  await world.remove(1, others);
  await world.minutes(2);
  await world.minutes(29 * day, day);
  expect([...world.outside.certificates.keys()]).toEqual([certificateArn]);
  await world.minutes(day, day);
  expect(world.outside.certificates.size).toBe(0);
  const late = await proven(world, 1, name);
  await world.check(1, late);
  expect(world.outside.requested).toEqual([name, name]);
});

test('an account gets 20 certificates a day, of which simultaneous looks count each once', async () => {
  const world = await new DomainWorld(stores).open(1);
  await world.setTier(0, 'scale');
  const before = await used(world);
  const all: string[] = [];
  for (let count = 0; count < 24; count += 1) {
    const name = newName();
    world.route(name);
    all.push(await addOnScale(world, name));
    world.prove(0, name);
  }
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(all.map((id) => world.check(0, id)));
    if (world.outside.requested.length >= 20) break;
  }
  await Promise.all(all.map((id) => world.check(0, id)));
  expect(world.outside.requested).toHaveLength(20);
  expect(new Set(world.outside.requested).size).toBe(20);
  expect(await used(world)).toBe(before + 20);
  const shown = await Promise.all(all.map((id) => world.check(0, id)));
  const waiting = shown.filter(({ records }) => records[1]?.name === null);
  expect(waiting).toHaveLength(4);
  for (const { records } of waiting) expect(records[1]?.hint).toContain('appears tomorrow');
  expect(world.troubles).toEqual([]);

  await world.minutes(day, 6 * 60);
  await world.minutes(day, 6 * 60);
  expect(world.outside.requested).toHaveLength(24);
}, 120_000);

test('an account gets five certificates for each domain of its plan', async () => {
  const world = await new DomainWorld(stores).open(1);
  for (let count = 0; count < 26; count += 1) {
    if (count === 15) world.now = new Date(world.now.getTime() + 86_400_000);
    const name = newName();
    const id = await proven(world, 0, name);
    await world.check(0, id);
    const { records } = await world.check(0, id);
    if (count === 25) expect(records[1]?.hint).toContain('as its plan includes');
    await world.remove(0, id);
  }
  expect(world.outside.requested).toHaveLength(25);
}, 120_000);

test("beyond the installation's year nobody gets a certificate, and the operator hears of it before", async () => {
  const world = await new DomainWorld(stores).open(2);
  world.certificatesPerYear = (await used(world)) + 3;
  const before = await used(world);
  const ids: [number, string][] = [];
  for (let count = 0; count < 4; count += 1) {
    ids.push([count % 2, await proven(world, count % 2, newName())]);
  }
  for (const [account, id] of ids) await world.check(account, id);
  expect(world.outside.requested).toHaveLength(3);
  expect(await used(world)).toBe(before + 3);
  expect(world.reportedRequests).toContain(before + 3);
  const [account, last] = ids[3] ?? [0, ''];
  const { status, records } = await world.check(account, last);
  expect(status).toBe('ssl_pending');
  expect(records[1]).toMatchObject({
    state: 'preparing',
    hint: expect.stringContaining('Its operator knows'),
  });
  // The days of a year ago no longer count.
  await world.setTier(account, 'pro');
  world.now = new Date(world.now.getTime() + 500 * 86_400_000);
  world.certificatesPerYear = 3;
  await world.check(account, last);
  await world.check(account, last);
  expect(world.outside.requested).toHaveLength(4);
});

test('all trials together leave half of the year to accounts that pay', async () => {
  const world = await new DomainWorld(stores).open(2);
  const { id } = world.caller(0).account;
  await stores.client.send(
    new UpdateCommand({
      TableName: tables.accounts,
      Key: accountKey(id),
      UpdateExpression: 'SET tier = :tier, trialEndsAt = :at',
      ExpressionAttributeValues: { ':tier': 'free', ':at': '2027-01-01T00:00:00.000Z' },
    }),
  );
  const before = await used(world);
  world.certificatesPerYear = 2 * before + 4;
  for (let count = 0; count < 4; count += 1)
    await world.check(0, await proven(world, 0, newName()));
  expect(await used(world)).toBe(before + 2);
  for (let count = 0; count < 2; count += 1)
    await world.check(1, await proven(world, 1, newName()));
  expect(await used(world)).toBe(before + 4);
});

test('a certificate that is requested while its domain is removed is kept for the name, and deleted', async () => {
  const world = await new DomainWorld(stores).open(1);
  const name = newName();
  world.route(name);
  const { id } = await world.add(0, name);
  world.prove(0, name);
  const deps = world.deps();
  const request: typeof deps.certificates.request = async (domain) => {
    const arn = await deps.certificates.request(domain);
    await world.remove(0, id);
    return arn;
  };
  const slow = { ...deps, certificates: { ...deps.certificates, request } };
  await checkDomain(slow, world.caller(0), { domainId: id }).catch(() => undefined);
  await world.minutes(5);
  expect(await stored(world, id)).toBeUndefined();
  expect(world.outside.certificates.size).toBe(1);
  await world.minutes(31 * day, day);
  expect(world.outside.certificates.size).toBe(0);
});

test('a request that is repeated after a crash counts once', async () => {
  const world = await new DomainWorld(stores).open(1);
  const before = await used(world);
  const name = newName();
  const id = await proven(world, 0, name);
  expect(world.outside.requested).toEqual([name]);
  const other = newName();
  world.route(other);
  const second = await world.add(0, other);
  world.prove(0, other);
  const deps = world.deps();
  const request = () => Promise.reject(new Error('the function ended'));
  const crashing = { ...deps, certificates: { ...deps.certificates, request } };
  for (let turn = 0; turn < 3; turn += 1) {
    await expect(checkDomain(crashing, world.caller(0), { domainId: second.id })).rejects.toThrow(
      'the function ended',
    );
  }
  await world.check(0, second.id);
  expect(world.outside.requested).toEqual([name, other]);
  expect(await used(world)).toBe(before + 2);
  expect(await stored(world, id)).toMatchObject({ certificateRefusal: null });
});
