import { describe, expect, jest, test } from '@jest/globals';
import {
  classifyPageRequest,
  Hit,
  createHit,
  referrerOf,
  visitorId,
} from '../../../../core/analytics/hit.ts';
import { groupHits, spreadBatch } from '../../../../core/analytics/hit-batches.ts';
import { toRecordedHit } from '../../../../core/analytics/recorded-hit.ts';
import { aSite, now } from '../../../fixtures/visits/a-site.ts';
import { aHit, firefox } from '../../../fixtures/visits/hits.ts';

const secret = 'a secret of sixteen letters';
const who = { projectId: 'p', address: '192.0.2.1', userAgent: firefox };
const seen = { address: '192.0.2.1', userAgent: firefox, referrer: '', country: '' };
const what = { id: 'a', kind: 'visit', path: '/', isOwner: false, prefetch: false } as const;

describe('a visitor has a name', () => {
  const name = visitorId(who, secret, now);

  test('that is constant for a day, and for the whole network of an IPv6 subscriber', () => {
    expect(visitorId(who, secret, new Date('2026-03-01T23:59:59Z'))).toBe(name);
    const at = (address: string) => visitorId({ ...who, address }, secret, now);
    expect(at('2001:db8::1')).toBe(at('2001:db8::ffff:2'));
  });

  test.each([
    ['the next day', () => visitorId(who, secret, new Date('2026-03-02T00:00:00Z'))],
    ['at another address', () => visitorId({ ...who, address: '192.0.2.2' }, secret, now)],
    ['with another browser', () => visitorId({ ...who, userAgent: 'x' }, secret, now)],
    ['at another project', () => visitorId({ ...who, projectId: 'q' }, secret, now)],
    ['at another installation', () => visitorId(who, 'another secret of letters', now)],
  ])('that is different %s', (_, other) => {
    expect(other()).not.toBe(name);
  });
});

test.each([
  ['https://mail.example.org/inbox?token=1#x', 'mail.example.org'],
  ['https://user:secret@Example.ORG/a', 'example.org'],
  ['https://[2001:db8::1]:8443/a', '[2001:db8::1]:8443'],
  ['https://münchen.example/', 'xn--mnchen-3ya.example'],
  ['https://=cmd.example/', null],
  ['android-app://ignore;all+of,this!/', null],
  ['https://example.org/', 'example.org'],
  ['https://example.org:8443/a', 'example.org:8443'],
  ['android-app://com.example/', 'com.example'],
  ['https://calm-harbour.sites.test/other', null],
  ['', null],
  ['no address', null],
  ['javascript:alert(1)', null],
  ['file:///etc/passwd', null],
])('of the referrer %s is kept: %s', (referrer, kept) => {
  expect(referrerOf(referrer, 'calm-harbour.sites.test')).toBe(kept);
});

test('no more of a referrer is read than an address may have', () => {
  const parse = jest.spyOn(URL, 'parse');
  referrerOf(`https://x${'%CD%84'.repeat(3000)}/`, 'calm-harbour.sites.test');
  const lengths = parse.mock.calls.map(([text]) => text.length);
  parse.mockRestore();
  expect(lengths).toEqual([2048]);
});

test('a hit contains untrusted values within its limits, and no IP address', () => {
  const long = 'x'.repeat(5000);
  const hit = createHit(
    aSite(),
    { address: '192.0.2.1', userAgent: long, referrer: `https://a.test/${long}`, country: 'xx' },
    { ...what, path: `/${long}` },
    { secret, now },
  );
  expect(Hit.parse(hit)).toEqual(hit);
  expect(hit.country).toBeNull();
  expect(JSON.stringify(hit)).not.toContain('192.0.2.1');
});

test('half of a surrogate pair is replaced by U+FFFD', () => {
  const path = `/${'a'.repeat(510)}\ud83d\ude00`;
  const strange = { ...seen, userAgent: '\ud83d' };
  const hit = createHit(aSite(), strange, { ...what, path }, { secret, now });
  expect(hit.path).toBe(`/${'a'.repeat(510)}\ufffd`);
  expect(hit.userAgent).toBe('\ufffd');
});

test('a hit has the country from CloudFront', () => {
  expect(createHit(aSite(), { ...seen, country: 'NO' }, what, { secret, now }).country).toBe('NO');
});

const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const preview = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';
const none = { visits: 0, opens: 0, ownerOpens: 0 };

test.each([
  ['a visit of a person', {}, 'unconfirmed', { ...none, visits: 1 }],
  ['a visit of the owner', { isOwner: true }, 'owner', { ...none, visits: 1 }],
  ['a link preview', { userAgent: preview }, 'preview', { ...none, visits: 1 }],
  ['a crawler', { userAgent: bot }, 'bot', none],
  ['a crawler that prefetches', { userAgent: bot, prefetch: true }, 'bot', none],
  ['what reads for a model', { userAgent: 'GPTBot/1.0' }, 'ai', none],
  ['a mail scanner', { userAgent: 'BarracudaCentral' }, 'mail_scanner', none],
  ['a prefetch', { prefetch: true }, 'prefetch', none],
  ['a prefetch of the owner', { prefetch: true, isOwner: true }, 'prefetch', none],
  ['a link preview that prefetches', { userAgent: preview, prefetch: true }, 'preview', none],
  ['an open', { kind: 'open' }, null, { ...none, opens: 1 }],
  ["an owner's open", { kind: 'open', isOwner: true }, 'owner', { ...none, ownerOpens: 1 }],
] as const)('%s is classified correctly', (_, changes, reason, counts) => {
  const recorded = toRecordedHit(aHit(changes));
  expect([recorded?.record.reason, recorded?.counts]).toEqual([reason, counts]);
});

test.each([bot, preview, 'GPTBot/1.0', 'BarracudaCentral', ''])(
  'a script that ran in "%s" counts no open',
  (userAgent) => {
    expect(toRecordedHit(aHit({ kind: 'open', userAgent }))).toBeUndefined();
  },
);

describe('hits are written', () => {
  test('each once, in transactions that DynamoDB takes', () => {
    const hits = Array.from({ length: 1000 }, (_, index) =>
      aHit({
        id: `hit-${index}`,
        kind: index % 2 === 0 ? 'visit' : 'open',
        network: (index % 300).toString(16).padStart(16, '0'),
        at: `2026-03-01T12:${String(index % 60).padStart(2, '0')}:00.000Z`,
      }),
    );
    const batches = groupHits([...hits, ...hits]);
    expect(batches.flatMap((batch) => batch.hits)).toHaveLength(1000);
    for (const batch of batches) {
      const rows = batch.hits.flatMap(({ record, network }) => [
        `${record.kind} ${record.at.slice(0, 16)}`,
        // Only visits are capped by the days of their networks.
        ...(record.kind === 'visit' ? [network] : []),
      ]);
      // With them go the total and the month.
      expect(new Set(rows).size + 2).toBeLessThanOrEqual(100);
    }
    expect(new Set(batches.map(({ shard }) => shard))).toEqual(new Set([0]));
    const spread = batches.flatMap(spreadBatch);
    for (const batch of spread) {
      const rows = batch.hits.map(() => 2);
      expect(rows.reduce<number>((sum, one) => sum + one, 3)).toBeLessThanOrEqual(100);
    }
    expect(spread.flatMap((batch) => batch.hits)).toHaveLength(1000);
    expect(new Set(spread.map(({ shard }) => shard)).size).toBe(8);
  });

  test('in the same partition at every delivery', () => {
    const [first] = groupHits([aHit()]);
    const [again] = groupHits([aHit({ id: 'other' }), aHit()].slice(1));
    expect(again).toEqual(first);
    const [spread] = groupHits([aHit()]).flatMap(spreadBatch);
    const [others] = groupHits([aHit({ id: 'other' }), aHit()].slice(1)).flatMap(spreadBatch);
    expect(others).toEqual(spread);
  });

  test('separately by hour and by the account whose month they count towards', () => {
    const hits = [
      aHit(),
      aHit({ kind: 'open' }),
      aHit({ at: '2026-03-01T13:00:00.000Z', kind: 'open', id: 'hit-1b' }),
      aHit({ ownerId: null, id: 'hit-1c' }),
    ];
    for (const { hits: own, hour } of groupHits(hits)) {
      for (const { record } of own) expect(record.at.startsWith(hour)).toBe(true);
    }
    expect(groupHits(hits).length).toBeGreaterThanOrEqual(3);
  });
});

const noMetadata = { mode: '', dest: '', site: '', purpose: '' };
const navigation = { mode: 'navigate', dest: 'document', site: 'none', purpose: '' };

test.each([
  ['a navigation', {}, {}, 'page'],
  ['a navigation that is answered 304', {}, { status: 304 }, 'page'],
  ['a navigation to a picture', {}, { isHtml: false }, 'page'],
  ['HTML for a client that says nothing of itself', { fetch: noMetadata }, {}, 'page'],
  ['HTML unchanged for such a client', { fetch: noMetadata }, { status: 304 }, 'page'],
  ['a file for such a client', { fetch: noMetadata }, { isHtml: false }, undefined],
  ['HEAD', { method: 'HEAD' }, {}, undefined],
  ['a part of a file', {}, { status: 206 }, undefined],
  [
    'a part that the edge makes of a whole page',
    { fetch: { ...navigation, purpose: 'part' } },
    {},
    undefined,
  ],
  ['a redirect', {}, { status: 301 }, undefined],
  ['a page that is not there', {}, { status: 404 }, undefined],
  ['a locked page', {}, { status: 401 }, undefined],
  ['an expired page', {}, { status: 410 }, undefined],
  ['a resting page', {}, { status: 503 }, undefined],
  ['a style sheet', { fetch: { ...noMetadata, mode: 'no-cors', dest: 'style' } }, {}, undefined],
  [
    'HTML that a script fetches',
    { fetch: { ...noMetadata, mode: 'cors', dest: 'empty' } },
    {},
    undefined,
  ],
  [
    'a frame on another site',
    { fetch: { ...navigation, dest: 'iframe', site: 'cross-site' } },
    {},
    'page',
  ],
  [
    'an embed on a sibling site',
    { fetch: { ...navigation, dest: 'embed', site: 'same-site' } },
    {},
    'page',
  ],
  [
    'a frame of the page itself',
    { fetch: { ...navigation, dest: 'iframe', site: 'same-origin' } },
    {},
    undefined,
  ],
  ['a prefetch', { fetch: { ...navigation, purpose: 'prefetch' } }, {}, 'prefetch'],
  ['a prerender', { fetch: { ...navigation, purpose: 'prefetch;prerender' } }, {}, 'prefetch'],
  [
    'a link that is prefetched',
    { fetch: { mode: 'no-cors', dest: 'empty', site: 'same-origin', purpose: 'prefetch' } },
    {},
    'prefetch',
  ],
  [
    'a script that is prefetched',
    { fetch: { mode: 'no-cors', dest: 'empty', site: 'same-origin', purpose: 'prefetch' } },
    { isHtml: false },
    undefined,
  ],
  [
    'a prefetch of nothing',
    { fetch: { ...navigation, purpose: 'prefetch' } },
    { status: 404 },
    undefined,
  ],
])('%s', (_, requestFacts, answered, kind) => {
  const request = { method: 'GET', fetch: navigation, ...requestFacts };
  expect(classifyPageRequest(request, { status: 200, isHtml: true, ...answered })).toBe(kind);
});

test('a referrer with letters beyond ASCII keeps its host, however often one is read', () => {
  const hosts = Array.from({ length: 50_000 }, () => referrerOf('https://bücher.example/', 'x'));
  expect(new Set(hosts)).toEqual(new Set(['xn--bcher-kva.example']));
});
