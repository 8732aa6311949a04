import { describe, expect, test } from '@jest/globals';
import type { Dns, DnsAnswer, DnsView } from '../../../../core/domains/ports.ts';
import { observeProof, observeRecords } from '../../../../core/domains/observe-records.ts';
import { proofText } from '../../../../core/domains/required-records.ts';
import { aDomain } from '../../../fixtures/domains/a-domain.ts';

const targets = {
  baseUrl: 'https://app.example.org',
  sitesTarget: 'cname.sites.example.net',
  routingEndpoint: 'd1.cloudfront.net',
};

/** What a check says of the certificate's record, with these CAA records. */
async function certificateWith(caa: Readonly<Record<string, string[]>>) {
  const view: DnsView = {
    ask: async (name, type) => {
      const values = type === 'CAA' ? caa[name] : undefined;
      return values === undefined
        ? { kind: 'none', ttl: 60 }
        : { kind: 'found', values, aliases: [], ttl: 60 };
    },
  };
  const authority = async () => ({ ...view, zone: 'customer.com', servers: [] });
  const dns: Dns = { look: () => ({ resolvers: [view], authority }) };
  const { records } = await observeRecords(dns, aDomain({ name: 'shop.customer.com' }), targets);
  return records.find(({ purpose }) => purpose === 'certificate');
}

describe('the proof', () => {
  const domain = aDomain({ name: 'shop.customer.com' });
  const proof = proofText(domain, targets.baseUrl);
  const none: DnsAnswer = { kind: 'none', ttl: 60 };
  const failed: DnsAnswer = { kind: 'failed', reason: 'unreachable' };
  const right: DnsAnswer = { kind: 'found', values: [proof], aliases: [], ttl: 60 };

  /** What servers answer for the proof; they know nothing else. */
  const view = (answer: DnsAnswer): DnsView => ({
    ask: async (name, type) =>
      type === 'TXT' && name === '_slipway.shop.customer.com' ? answer : none,
  });
  const world = (zone: string | undefined, own: DnsAnswer, ...others: DnsAnswer[]): Dns => {
    const authority = async () => ({ ...view(own), zone, servers: [] });
    return { look: () => ({ resolvers: others.map(view), authority }) };
  };

  test.each<[string, DnsAnswer, DnsAnswer[], string, string]>([
    ['everybody sees', right, [right, right], 'present', 'ok'],
    ['one resolver has yet to see', right, [right, none], 'present', 'spreading'],
    ['only the authority shows', right, [none, none], 'unknown', 'spreading'],
    [
      'the authority shows while no resolver answers',
      right,
      [failed, failed],
      'unknown',
      'spreading',
    ],
    ['only resolvers remember', none, [right, right], 'absent', 'missing'],
    ['nobody can look up', failed, [right, right], 'unknown', 'unknown'],
  ])('%s', async (_, own, others, seen, state) => {
    const dns = world('customer.com', own, ...others);
    const { records, proof: found } = await observeRecords(dns, domain, targets);
    expect([found, records[0]?.state]).toEqual([seen, state]);
    expect(await observeProof(dns, domain, targets.baseUrl)).toBe(seen);
  });

  test.each([
    ['shop.customer.com', true],
    ['customer.com', false],
    [undefined, undefined],
  ])('a name whose servers are those of %s is delegated: %s', async (zone, expected) => {
    const { isDelegated } = await observeRecords(world(zone, right, right), domain, targets);
    expect(isDelegated).toBe(expected);
  });
});

describe('CAA records', () => {
  test.each<[string, Readonly<Record<string, string[]>>]>([
    ['none', {}],
    ['Amazon among others', { 'customer.com': ['issue letsencrypt.org', 'issue amazon.com'] }],
    ['another name of Amazon', { 'customer.com': ['issue amazontrust.com; policy=ev'] }],
    ['of other kinds', { 'customer.com': ['iodef mailto:a@customer.com'] }],
    [
      'of the nearest name only (RFC 8659)',
      { 'shop.customer.com': ['issue amazon.com'], 'customer.com': ['issue letsencrypt.org'] },
    ],
  ])('that let Amazon issue: %s', async (_, caa) => {
    expect(await certificateWith(caa)).toMatchObject({ state: 'missing' });
  });

  test.each<[string, Readonly<Record<string, string[]>>, RegExp]>([
    ['another issuer', { 'shop.customer.com': ['issue letsencrypt.org'] }, /letsencrypt\.org/],
    ['another issuer above', { 'customer.com': ['issue letsencrypt.org'] }, /letsencrypt\.org/],
    [
      'another issuer of wildcards',
      { 'customer.com': ['issue amazon.com', 'issuewild sectigo.com'] },
      /only from sectigo\.com/,
    ],
    ['nobody', { 'customer.com': ['issue ;'] }, /only from nobody/],
  ])('that forbid it: %s', async (_, caa, hint) => {
    const record = await certificateWith(caa);
    expect(record).toMatchObject({ state: 'wrong', hint: expect.stringMatching(hint) });
  });
});
