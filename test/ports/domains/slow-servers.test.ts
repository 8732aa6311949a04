import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { randomUUID } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { certificates } from '../../../adapters/domains/certificates.ts';
import { dnsClient } from '../../../adapters/domains/dns-client.ts';
import { tenants } from '../../../adapters/domains/tenants.ts';
import { domainRow } from '../../../adapters/dynamodb/domains/domain-rows.ts';
import { purgeRow } from '../../../adapters/dynamodb/projects/project-rows.ts';
import { DomainId, ProjectId } from '../../../contract/fields.ts';
import { advanceDomain } from '../../../core/domains/advance-domain.ts';
import { observeProof, observeRecords } from '../../../core/domains/observe-records.ts';
import { sweep } from '../../../core/projects/removal/sweep.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { aDomain, domainId } from '../../fixtures/domains/a-domain.ts';
import { DomainWorld } from '../../fixtures/domains/domain-world.ts';
import { routingEndpoint, sitesTarget } from '../../fixtures/domains/outside-world.ts';
import { type SlowServer, slowServer } from '../../fixtures/domains/slow-server.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let server: SlowServer;
beforeAll(async () => {
  stores = await localStores();
  server = await slowServer();
});
afterAll(async () => {
  await server.close();
  await stores.close();
});

const targets = { baseUrl: 'https://app.example.org', sitesTarget, routingEndpoint };

async function secondsOf(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return (performance.now() - startedAt) / 1000;
}

/** Both kinds at once: these tests wait. */
const kinds = ['silent', 'drip'];
const longName = (kind: string) => `a.b.c.d.e.f.g.h.${kind}.com`;

test('a slow name server is asked one question for three seconds', async () => {
  const [resolver] = dnsClient(server.address).look().resolvers;
  const answers = Promise.all(kinds.map(async (kind) => resolver?.ask(longName(kind), 'TXT')));
  expect(await secondsOf(answers)).toBeLessThan(4);
  expect(await answers).toEqual(kinds.map(() => ({ kind: 'failed', reason: 'unreachable' })));
});

test('a reply of hundreds of records counts as none', async () => {
  const [resolver] = dnsClient(server.address).look().resolvers;
  expect(await resolver?.ask('flood.com', 'TXT')).toEqual({
    kind: 'failed',
    reason: 'unreachable',
  });
});

test('a domain with slow name servers is looked at for eight seconds', async () => {
  // Both resolvers are slow too, which is the worst case.
  const dns = dnsClient(`${server.address},${server.address}`);
  const observations = kinds.flatMap((kind) => {
    const domain = aDomain({ name: longName(kind), rootProjectId: randomUUID() as never });
    return [
      observeRecords(dns, domain, targets).then(({ proof }) => proof),
      observeProof(dns, domain, targets.baseUrl),
    ];
  });
  expect(await secondsOf(Promise.all(observations))).toBeLessThan(9);
  expect(new Set(await Promise.all(observations))).toEqual(new Set(['unknown']));
}, 30_000);

/** So many domains that are due, and a purge among them. */
async function seed(
  world: DomainWorld,
  count: number,
): Promise<{ ids: DomainId[]; projectId: ProjectId }> {
  const { id: accountId } = world.caller(0).account;
  const dueAt = world.now.toISOString();
  const ids = Array.from({ length: count }, () => DomainId.parse(randomUUID()));
  const rows = ids.map((id, index) => {
    const name = `${index % 2 === 0 ? 'silent' : 'drip'}-${randomUUID().slice(0, 8)}.com`;
    const changes = { id, accountId, name, zone: name, dueAt, waitingSince: dueAt };
    const pending = { status: 'pending_verification', proven: false, checkedAt: null } as const;
    return { PutRequest: { Item: domainRow(aDomain({ ...changes, ...pending })) } };
  });
  await stores.client.send(new BatchWriteCommand({ RequestItems: { [tables.projects]: rows } }));
  const projectId = ProjectId.parse(randomUUID());
  await stores.client.send(
    new PutCommand({ TableName: tables.projects, Item: purgeRow(projectId, dueAt) }),
  );
  for (const [index, id] of ids.entries()) {
    const { name, zone } = aDomain((rows[index]?.PutRequest.Item ?? {}) as never);
    const names = {
      [name]: {
        accountId,
        domainId: id,
        proven: false,
        wasProven: false,
        isDelegated: false,
        heldUntil: null,
        former: null,
      },
    };
    const Item = { pk: `ZONE#${zone}`, sk: 'ZONE', zone, revision: 1, names };
    await stores.client.send(new PutCommand({ TableName: tables.projects, Item }));
  }
  return { ids, projectId };
}

test('domains whose servers are slow hold up nothing else, and are not due again at once', async () => {
  const world = await new DomainWorld(stores).open(1);
  // More than are looked at together.
  const { ids, projectId } = await seed(world, 24);
  const purgedAfter: number[] = [];
  const startedAt = performance.now();
  const since = () => performance.now() - startedAt;
  const deps = {
    ...world.owner(0).deps,
    edge: {
      purge: async (id: ProjectId) => {
        if (id === projectId) purgedAfter.push(since());
      },
      purgeAfterDelay: async () => undefined,
    },
    advanceDomain: (id: DomainId, now: Date) =>
      advanceDomain({ ...world.deps(), dns: dnsClient(server.address) }, id, now),
  };
  const result = await sweep(deps, world.now, () => 50_000 - since());
  expect(purgedAfter).toEqual([expect.any(Number)]);
  expect(purgedAfter[0]).toBeLessThan(3000);
  expect(since()).toBeLessThan(25_000);
  expect(result).toMatchObject({ domains: ids.length, purges: 1, failures: 0 });
  for (const id of ids) {
    const domain = await world.deps().domains.get(id);
    expect(Date.parse(domain?.dueAt ?? '')).toBeGreaterThan(world.now.getTime());
  }
}, 60_000);

test('a look that never ends is not due again at once', async () => {
  const world = await new DomainWorld(stores).open(1);
  const { ids } = await seed(world, 1);
  const [id = domainId] = ids;
  await new Promise<void>((resolve) => {
    const authority = () => {
      resolve();
      return new Promise<never>(() => undefined);
    };
    const dns = { look: () => ({ resolvers: [], authority }) };
    void advanceDomain({ ...world.deps(), dns }, id, world.now);
  });
  const due: unknown[] = [];
  for await (const item of world.owner(0).deps.projects.listDue(world.now)) due.push(item);
  expect(due).not.toContainEqual({ kind: 'domain', domainId: id });
});

test('a run ends in time, names what is not done, and begins no look shortly before', async () => {
  const world = await new DomainWorld(stores).open(1);
  const { projectId } = await seed(world, 1);
  const failures: unknown[] = [];
  const advanced: DomainId[] = [];
  const deps = {
    ...world.owner(0).deps,
    onFailure: (item: unknown) => void failures.push(item),
    edge: {
      purge: () => new Promise<never>(() => undefined),
      purgeAfterDelay: async () => undefined,
    },
    advanceDomain: async (id: DomainId) => advanced.push(id) > 0,
  };
  const startedAt = performance.now();
  const result = await sweep(deps, world.now, () => 2000 - (performance.now() - startedAt));
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect(result).toMatchObject({ domains: 0, purges: 0, failures: failures.length });
  expect(failures).toContainEqual({ kind: 'purge', projectId });
  expect(advanced).toEqual([]);
});

describe('AWS that accepts a call and says nothing', () => {
  let silent: Server;
  const sockets = new Set<Socket>();
  const before = { ...process.env };
  beforeAll(async () => {
    silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
    const bound = silent.address();
    const port = typeof bound === 'object' ? bound?.port : undefined;
    const credentials = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' };
    const AWS_ENDPOINT_URL = `http://127.0.0.1:${port}`;
    Object.assign(process.env, { ...credentials, AWS_ENDPOINT_URL, AWS_REGION: 'us-east-1' });
  });
  afterAll(async () => {
    process.env = before;
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => void silent.close(() => resolve()));
  });

  test('is asked for ten seconds', async () => {
    const calls = Promise.allSettled([
      certificates('prod').describe('arn:aws:acm:us-east-1:1:certificate/1'),
      tenants({ distributionId: 'E1', connectionGroupId: 'G', stage: 'prod' }).describe(domainId),
    ]);
    expect(await secondsOf(calls)).toBeLessThan(11);
    expect((await calls).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  }, 30_000);
});
