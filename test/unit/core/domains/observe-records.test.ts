import { describe, expect, test } from '@jest/globals';
import type { Dns, DnsView } from '../../../../core/domains/ports.ts';
import { observeRecords } from '../../../../core/domains/observe-records.ts';
import { aDomain } from '../../../fixtures/domains/a-domain.ts';

const targets = { baseUrl: 'https://app.example.org', routingEndpoint: 'd1.cloudfront.net' };

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
  const authority = async () => ({ ...view, servers: [] });
  const dns: Dns = { look: () => ({ resolvers: [view], authority }) };
  const { records } = await observeRecords(dns, aDomain({ name: 'shop.customer.com' }), targets);
  return records.find(({ purpose }) => purpose === 'certificate');
}

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
