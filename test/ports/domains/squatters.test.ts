import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { accountKey } from '../../../adapters/dynamodb/accounts/account-rows.ts';
import { zoneKey } from '../../../adapters/dynamodb/domains/domain-rows.ts';
import { maxUnprovenNamesOfZone } from '../../../contract/limits.ts';
import { addDomain } from '../../../core/domains/manage-domains.ts';
import { maxNamesOfZone, type NameClaim } from '../../../core/domains/zone-claims.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let names = 0;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

/** A registered domain that no other test uses. */
const newName = () => `squatted-${(names += 1)}.com`;

/** Adds a name for an account whose plan sets no limit. */
function squat(world: DomainWorld, index: number, domain: string) {
  const caller = world.caller(index);
  const account = { ...caller.account, tier: 'scale' as const };
  return addDomain(world.deps(), { ...caller, account }, { domain });
}

/** Fills the zone with names that are held for others. */
async function fill(world: DomainWorld, zone: string) {
  const claims = await world.deps().domains.claims(zone);
  const held = Array.from({ length: maxNamesOfZone - Object.keys(claims.names).length });
  const claim: NameClaim = {
    accountId: world.caller(0).account.id,
    domainId: null,
    proven: false,
    wasProven: true,
    isDelegated: false,
    heldUntil: '2026-03-20T12:00:00.000Z',
    former: null,
  };
  const others = Object.fromEntries(held.map((_, index) => [`held-${index}.${zone}`, claim]));
  const Item = { ...zoneKey(zone), ...claims, names: { ...claims.names, ...others } };
  await stores.client.send(new PutCommand({ TableName: tables.projects, Item }));
}

test('names that many accounts invent lock nobody out who proves theirs', async () => {
  const world = await new DomainWorld(stores).open(4);
  const [owner, tenant] = [2, 3];
  const zone = newName();
  const part = `shop.${zone}`;
  const inventions: string[] = [];
  for (let count = 0; count < maxUnprovenNamesOfZone; count += 1)
    inventions.push((await squat(world, 0, `n${count}.${zone}`)).id);
  await expect(squat(world, 0, `more.${zone}`)).rejects.toMatchObject({
    code: 'DOMAIN_LIMIT_REACHED',
  });
  inventions.push((await squat(world, 1, `other.${zone}`)).id);
  await fill(world, zone);

  // Whoever has only one name of the zone takes the room of one invention.
  await expect(world.add(tenant, part)).rejects.toMatchObject({
    code: 'DOMAIN_TAKEN',
    fields: { nextStep: expect.stringContaining(world.proof(tenant, part)) },
  });
  world.prove(tenant, part);
  const rented = await world.add(tenant, part);
  expect(await world.list(0)).toHaveLength(maxUnprovenNamesOfZone - 1);
  expect(await world.list(1)).toHaveLength(1);
  await world.remove(tenant, rented.id);

  world.prove(owner, zone);
  world.route(zone);
  const { id } = await world.add(owner, zone);
  await world.minutes(3);
  expect((await world.check(owner, id)).status).toBe('ssl_active');
  for (const squatter of [0, 1]) expect(await world.list(squatter)).toEqual([]);
  const { names: left } = await world.deps().domains.claims(zone);
  expect(Object.values(left).filter(({ domainId }) => domainId !== null)).toMatchObject([
    { domainId: id, proven: true },
  ]);
  await world.minutes(3);
  for (const gone of inventions)
    expect(await world.deps().domains.get(gone as never)).toBeUndefined();
  await expect(squat(world, 0, `again.${zone}`)).rejects.toMatchObject({ code: 'DOMAIN_TAKEN' });
});

test('names that were never proven are free as soon as they are removed', async () => {
  const world = await new DomainWorld(stores).open(2);
  const zone = newName();
  const added = await world.add(0, zone);
  await world.remove(0, added.id);
  expect((await world.deps().domains.claims(zone)).names).toEqual({});
  expect((await world.add(1, zone)).domain).toBe(zone);
});

test('an account that lost a name does nothing more with it, from the same moment on', async () => {
  const world = await new DomainWorld(stores).open(2);
  const zone = newName();
  world.prove(0, zone);
  world.route(zone);
  const { id } = await world.add(0, zone);
  await world.minutes(4);
  const mine = await world.owner(0).publish({ 'index.html': '<p>A' });
  world.prove(1, zone);
  const second = await world.add(1, zone);
  for (const late of [
    () => world.check(0, id),
    () => world.remove(0, id),
    () => world.assign(0, mine, id, 'late'),
  ])
    await expect(late()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await world.list(0)).toEqual([]);
  expect(world.mails.map(({ kind }) => kind)).toEqual(['lost-records', 'lost-to-other']);
  await world.minutes(6);
  expect((await world.check(1, second.id)).status).toBe('ssl_active');
  const { pk } = accountKey(world.caller(0).account.id);
  expect(await stores.rowsOf(tables.accounts, pk)).toMatchObject([{ domainCount: 0 }]);
});
