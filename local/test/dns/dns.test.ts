import { Resolver } from 'node:dns/promises';
import { describe, expect, test } from '@jest/globals';
import { CHECKING_DISABLED, RECURSION_DESIRED } from 'dns-packet';
import { startDns } from '../../dns/dns.ts';
import { aDns, askUdp, ends } from './a-dns.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { movableClock } from '../../time/clock.ts';

function nodeResolver(servers: string[]): Resolver {
  const resolver = new Resolver({ tries: 1, timeout: 2000 });
  resolver.setServers(servers);
  return resolver;
}

describe('resolvers', () => {
  test('answer every type that a person can set, to Node’s own resolver', async () => {
    const { dns } = await aDns(
      ['customer.com', 'TXT', `slipway=${'x'.repeat(300)}`],
      ['customer.com', 'CAA', '0 issue "amazon.com"'],
      ['customer.com', 'A', '192.0.2.7'],
      ['www.customer.com', 'CNAME', 'customer.com'],
    );
    const resolver = nodeResolver([dns.resolvers[0] ?? '']);
    expect((await resolver.resolveTxt('customer.com'))[0]?.join('')).toBe(
      `slipway=${'x'.repeat(300)}`,
    );
    expect(await resolver.resolveCaa('customer.com')).toMatchObject([
      { critical: 0, issue: 'amazon.com' },
    ]);
    expect(await resolver.resolve4('www.customer.com')).toEqual(['192.0.2.7']);
    expect(await resolver.resolveCname('www.customer.com')).toEqual(['customer.com']);
    expect(await resolver.resolveNs('customer.com')).toEqual([
      'ns1.local-dns.test',
      'ns2.local-dns.test',
    ]);
    expect((await resolver.resolveSoa('customer.com')).minttl).toBe(60);
    expect(await resolver.resolve4('ns2.local-dns.test')).toEqual(['127.0.0.1']);
  });

  test('nobody answers about a silent zone, and about others as ever', async () => {
    const { dns } = await aDns(['a.slow.com', 'TXT', 'x'], ['customer.com', 'TXT', 'y']);
    const resolver = new Resolver({ tries: 1, timeout: 300 });
    resolver.setServers(dns.resolvers);
    dns.zones.configure('slow.com', { isSilent: true });
    await expect(resolver.resolveTxt('a.slow.com')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    expect(await resolver.resolveTxt('customer.com')).toEqual([['y']]);
    dns.zones.configure('slow.com', { isSilent: false });
    expect(await resolver.resolveTxt('a.slow.com')).toEqual([['x']]);
  });

  test('a CNAME leads into AWS’s own names', async () => {
    const { dns } = await aDns(['*.customer.com', 'CNAME', 'd111.cloudfront.net']);
    const resolver = nodeResolver(dns.resolvers);
    expect(await resolver.resolve4('shop.customer.com')).toEqual(['127.0.0.1']);
  });

  test.each([
    ['a name below the wildcard', 'a.customer.com', 'NOERROR', ['to.example.net']],
    ['a deeper name below the wildcard', 'a.b.customer.com', 'NOERROR', ['to.example.net']],
    ['a name of its own hides the wildcard', 'own.customer.com', 'NOERROR', []],
    ['a name with names below it hides the wildcard', 'empty.customer.com', 'NOERROR', []],
    ['a name below such a name', 'x.empty.customer.com', 'NXDOMAIN', []],
    ['a name nobody has', 'nobody.example', 'NXDOMAIN', []],
    ['names in any case', 'A.CUSTOMER.com', 'NOERROR', ['to.example.net']],
  ])('%s: %s', async (_, name, rcode, answers) => {
    const { dns } = await aDns(
      ['*.customer.com', 'CNAME', 'to.example.net'],
      ['own.customer.com', 'TXT', 'mine'],
      ['deep.empty.customer.com', 'TXT', 'below'],
      ['to.example.net', 'TXT', 'here'],
    );
    const response = await askUdp(dns.resolvers[0] ?? '', { name, type: 'A' });
    expect(response.rcode).toBe(rcode);
    expect(response.answers?.map((one) => 'data' in one && one.data)).toEqual(answers);
    if (answers.length === 0) expect(response.authorities?.[0]?.type).toBe('SOA');
  });

  test('remember an answer until its TTL ends, and disagree meanwhile', async () => {
    const { dns, clock } = await aDns(['customer.com', 'TXT', 'old', 120]);
    const [first, second] = dns.resolvers.map((one) => nodeResolver([one]));
    await first?.resolveTxt('customer.com');
    dns.zones.remove({ name: 'customer.com', type: 'TXT' });
    dns.zones.add({ name: 'customer.com', type: 'TXT', value: 'new', ttlSeconds: 120 });
    expect(await first?.resolveTxt('customer.com')).toEqual([['old']]);
    expect(await second?.resolveTxt('customer.com')).toEqual([['new']]);
    clock.advance(119_000);
    expect((await first?.resolve4('customer.com').catch(() => undefined)) ?? []).toEqual([]);
    const aged = await askUdp(dns.resolvers[0] ?? '', { name: 'customer.com', type: 'TXT' });
    expect(aged.answers?.[0]).toMatchObject({ ttl: 1 });
    clock.advance(1000);
    expect(await first?.resolveTxt('customer.com')).toEqual([['new']]);
  });

  test('remember that there is no such name for the zone’s negative TTL', async () => {
    const { dns, clock } = await aDns(['customer.com', 'A', '192.0.2.7']);
    dns.zones.configure('customer.com', { negativeTtlSeconds: 300 });
    const resolver = nodeResolver([dns.resolvers[0] ?? '']);
    await expect(resolver.resolveTxt('_x.customer.com')).rejects.toMatchObject({
      code: 'ENOTFOUND',
    });
    dns.zones.add({ name: '_x.customer.com', type: 'TXT', value: 'proof' });
    await expect(resolver.resolveTxt('_x.customer.com')).rejects.toThrow();
    clock.advance(300_000);
    expect(await resolver.resolveTxt('_x.customer.com')).toEqual([['proof']]);
  });

  test('remember that nobody has a domain no longer than the cloud’s own delay', async () => {
    const dns = await startDns({
      stateDir: temporaryFolder('dns'),
      clock: movableClock(),
      ttlSeconds: 0,
    });
    ends.push(() => dns.close());
    const resolver = nodeResolver([dns.resolvers[0] ?? '']);
    await expect(resolver.resolveTxt('customer.com')).rejects.toThrow();
    dns.zones.add({ name: 'customer.com', type: 'TXT', value: 'proof' });
    expect(await resolver.resolveTxt('customer.com')).toEqual([['proof']]);
  });

  test('a broken signature is SERVFAIL, and no failure for the zone’s servers or without checking', async () => {
    const { dns } = await aDns(['customer.com', 'TXT', 'proof']);
    dns.zones.configure('customer.com', { dnssec: 'broken' });
    const query = { name: 'customer.com', type: 'TXT' };
    const [address = ''] = dns.resolvers;
    expect((await askUdp(address, query)).rcode).toBe('SERVFAIL');
    const unchecked = { ...query, flags: RECURSION_DESIRED | CHECKING_DISABLED };
    expect((await askUdp(address, unchecked)).answers).toHaveLength(1);
    expect((await askUdp(address, { ...query, flags: 0 })).answers).toHaveLength(1);
    dns.zones.configure('customer.com', { dnssec: 'signed' });
    expect(await askUdp(address, query)).toMatchObject({ rcode: 'NOERROR', flag_ad: true });
  });
});

test('a zone’s server answers with authority and without a cache', async () => {
  const { dns } = await aDns(['customer.com', 'TXT', 'old']);
  const [address = ''] = dns.resolvers;
  const query = { name: 'customer.com', type: 'TXT', flags: 0 };
  expect(await askUdp(address, query)).toMatchObject({ flag_aa: true });
  dns.zones.remove({ name: 'customer.com' });
  expect((await askUdp(address, query)).answers).toEqual([]);
});

test('an answer is truncated unless the client takes it as long', async () => {
  const { dns } = await aDns(['customer.com', 'TXT', 'x'.repeat(900)]);
  const [address = ''] = dns.resolvers;
  const query = { name: 'customer.com', type: 'TXT' };
  expect(await askUdp(address, query)).toMatchObject({ flag_tc: true, answers: [] });
  expect((await askUdp(address, { ...query, udpPayloadSize: 1232 })).answers).toHaveLength(1);
});

test('zones survive a restart', async () => {
  const { dns, clock, stateDir } = await aDns(['customer.com', 'A', '192.0.2.7']);
  await dns.close();
  const again = await startDns({ stateDir, clock, ttlSeconds: 60 });
  ends.push(() => again.close());
  expect(again.lookUp('customer.com', 'A').answers).toHaveLength(1);
});

test.each([
  [{ name: 'a.customer.com', type: 'A', value: 'not an address' }, /IPv4/],
  [{ name: 'own.customer.com', type: 'CNAME', value: 'b.example.net' }, /only record/],
  [{ name: 'alias.customer.com', type: 'TXT', value: 'x' }, /only record/],
  [{ name: 'alias.customer.com', type: 'CNAME', value: 'c.example.net' }, /another CNAME/],
  [{ name: 'a.other.com', type: 'TXT', value: 'x', zone: 'customer.com' }, /not in the zone/],
] as const)('the provider refuses %j', async (record, reason) => {
  const { dns } = await aDns(
    ['own.customer.com', 'TXT', 'mine'],
    ['alias.customer.com', 'CNAME', 'b.example.net'],
  );
  expect(dns.zones.add(record)).toMatch(reason);
});
