import { describe, expect, test } from '@jest/globals';
import { judgeRecord, type RecordSighting } from '../../../../core/domains/judge-record.ts';
import type { DnsAnswer } from '../../../../core/domains/ports.ts';
import type { RequiredRecord } from '../../../../core/domains/required-records.ts';

const target = 'cname.sites.example.net';
const endpoint = 'd111111abcdef8.cloudfront.net';
const text = 'slipway-verification=0123';
const context = {
  domain: 'customer.com',
  sitesTargets: [target, endpoint],
  proven: true,
  certificateRefusal: null,
};
const ownership: RequiredRecord = {
  purpose: 'ownership',
  type: 'TXT',
  name: '_slipway.customer.com',
  value: text,
};
const sites: RequiredRecord = {
  purpose: 'sites',
  type: 'CNAME',
  name: '*.customer.com',
  value: target,
};
const certificate: RequiredRecord = {
  purpose: 'certificate',
  type: 'CNAME',
  name: '_a.customer.com',
  value: '_b.acm-validations.aws',
};

const found = (...values: string[]): DnsAnswer => ({ kind: 'found', values, aliases: [], ttl: 60 });
const alias = (...aliases: string[]): DnsAnswer => ({
  kind: 'found',
  values: [],
  aliases,
  ttl: 60,
});
const none: DnsAnswer = { kind: 'none', ttl: 300 };
const broken: DnsAnswer = { kind: 'failed', reason: 'dnssec' };
const silent: DnsAnswer = { kind: 'failed', reason: 'unreachable' };

/** The resolvers agree with the zone's servers, unless told otherwise. */
function sighting(authority: DnsAnswer, more: Partial<RecordSighting> = {}): RecordSighting {
  const nothing = { isAppended: false, addresses: [], servers: [], caaForbids: undefined };
  return { authority, resolvers: [authority, authority], ...nothing, ...more };
}

describe('a record', () => {
  test.each<[string, RequiredRecord, RecordSighting, string, RegExp | null]>([
    ['is right', ownership, sighting(found(text)), 'ok', null],
    ['is right with the name of CloudFront', sites, sighting(found(endpoint)), 'ok', null],
    ['is right beside others', ownership, sighting(found('v=spf1 -all', text)), 'ok', null],
    ['is missing', sites, sighting(none), 'missing', /no record with this name yet/],
    [
      'has not reached all resolvers',
      sites,
      sighting(found(target), { resolvers: [found(target), none] }),
      'spreading',
      /up to 5 minutes/,
    ],
    ['has a wrong target', sites, sighting(found('old.host')), 'wrong', /points to old\.host/],
    [
      'has the domain after its value',
      sites,
      sighting(found(`${target}.customer.com`)),
      'wrong',
      /dot at its end/,
    ],
    [
      'has the domain after its name',
      ownership,
      sighting(none, { isAppended: true }),
      'wrong',
      /exists as _slipway\.customer\.com\.customer\.com\. Enter only _slipway as the name/,
    ],
    [
      'has its proxy on',
      sites,
      sighting(none, { addresses: ['104.16.0.1'], servers: ['amy.ns.cloudflare.com'] }),
      'wrong',
      /proxy .* switched on/,
    ],
    [
      'has an address in the way',
      sites,
      sighting(none, { addresses: ['203.0.113.7'], servers: ['ns1.dns.example'] }),
      'wrong',
      /A or AAAA records \(203\.0\.113\.7\) are in the way/,
    ],
    [
      'is an old text',
      ownership,
      sighting(found('slipway-verification=ffff')),
      'wrong',
      /earlier setup or to another account/,
    ],
    ['is another text', ownership, sighting(found('v=spf1 -all')), 'missing', /yet/],
    [
      'is shadowed by a wildcard',
      ownership,
      sighting(alias('parking.example')),
      'wrong',
      /wildcard/,
    ],
    ['is behind our own wildcard', ownership, sighting(alias(target)), 'missing', /yet/],
    ['is behind our own wildcard', certificate, sighting(found(target)), 'missing', /yet/],
    [
      'is shadowed by a wildcard',
      certificate,
      sighting(found('parking.example')),
      'wrong',
      /wildcard/,
    ],
    [
      'is forbidden by CAA',
      certificate,
      sighting(none, { caaForbids: ['letsencrypt.org'] }),
      'wrong',
      /only from letsencrypt\.org/,
    ],
    [
      'has broken DNSSEC',
      sites,
      sighting(found(target), { resolvers: [broken, broken] }),
      'wrong',
      /DNSSEC is broken/,
    ],
    ['has servers that do not answer', sites, sighting(silent), 'unknown', /do not answer/],
    [
      'is right where one resolver is silent',
      sites,
      sighting(found(target), { resolvers: [silent, found(target)] }),
      'ok',
      null,
    ],
  ])('%s', (_, needed, seen, state, hint) => {
    const judged = judgeRecord(needed, seen, context);
    expect(judged.state).toBe(state);
    if (hint === null) expect(judged.hint).toBeNull();
    else expect(judged.hint).toMatch(hint);
  });

  test('is prepared until the certificate authority names it', () => {
    const unknown = { ...certificate, name: null, value: null };
    expect(judgeRecord(unknown, sighting(none), context)).toMatchObject({ state: 'preparing' });
  });
});
