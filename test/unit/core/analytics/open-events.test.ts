import { expect, test } from '@jest/globals';
import { groupHits } from '../../../../core/analytics/hit-batches.ts';
import type { Hit } from '../../../../core/analytics/hit.ts';
import { mayBeFirst, openDeliveries } from '../../../../core/analytics/open-events.ts';
import type { Webhook } from '../../../../core/webhooks/webhook.ts';
import { aProject } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';
import { aHit } from '../../../fixtures/visits/hits.ts';
import { aWebhook } from '../../../fixtures/webhooks/memory-webhooks.ts';

const project = aProject();
const both = aWebhook({ events: ['project.opened', 'project.first_opened'] });
const batchesOf = (hits: readonly Hit[], webhooks: readonly Webhook[] = [both]) =>
  groupHits(hits, new Map([[project.id, { project, webhooks }]]));
const open = (id: string, changes: Partial<Hit> = {}) => aHit({ id, kind: 'open', ...changes });
const told = (hits: readonly Hit[], isFirst = false, webhooks?: readonly Webhook[]) =>
  batchesOf(hits, webhooks)
    .flatMap((batch) => openDeliveries(batch, { isFirst, now }))
    .map(({ type, subject, data }) => [type, subject, JSON.parse(data)]);

test('opens of a batch are one event, with their number and the latest ten, newest first', () => {
  const hits = Array.from({ length: 12 }, (_, second) =>
    open(`o${second}`, { at: `2026-03-01T12:00:${String(second + 10)}.000Z`, country: 'DE' }),
  );
  const [[type, subject, data] = [], ...more] = told([aHit(), ...hits]);
  expect([type, subject, more]).toEqual(['project.opened', `${project.id}~visitors`, []]);
  expect(data).toMatchObject({ projectId: project.id, title: project.title, opens: 12 });
  expect(data.recentOpens).toHaveLength(10);
  expect(data.recentOpens[0]).toMatchObject({ at: '2026-03-01T12:00:21.000Z', country: 'DE' });
});

test('the first open is an event of its own, before that of all, with who it was', () => {
  const link = { id: 'x', name: 'For Anna' };
  const hits = [
    open('late', { at: '2026-03-01T12:00:30.000Z' }),
    open('first', { at: '2026-03-01T12:00:10.000Z', link, email: 'anna@example.org' }),
  ];
  const events = told(hits, true);
  expect(events.map(([type]) => type)).toEqual(['project.first_opened', 'project.opened']);
  const who = { at: '2026-03-01T12:00:10.000Z', link: 'For Anna', email: 'anna@example.org' };
  expect(events[0]?.[2].open).toMatchObject(who);
});

test.each<[string, Partial<Hit>]>([
  ['visits', { kind: 'visit' }],
  ['opens of the owner', { isOwner: true }],
  ['bots', { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }],
  ['previews', { userAgent: 'Slackbot-LinkExpanding 1.0' }],
  ['scanners', { userAgent: 'Mozilla/5.0 BarracudaCentral' }],
  ['prefetches', { prefetch: true }],
])('%s are no event', (_, changes) => {
  const hits = [open('one', changes)];
  expect(told(hits, true)).toEqual([]);
  expect(batchesOf(hits).some(mayBeFirst)).toBe(false);
});

test('each webhook gets what it wants', () => {
  const first = aWebhook({ events: ['project.first_opened'] });
  const opened = aWebhook({ events: ['project.opened'] });
  const types = (...webhooks: Webhook[]) =>
    told([open('one')], true, webhooks).map(([type]) => type);
  expect(types(first)).toEqual(['project.first_opened']);
  expect(types(opened)).toEqual(['project.opened']);
  expect(batchesOf([open('one')], [opened]).some(mayBeFirst)).toBe(false);
  expect(batchesOf([open('one')], [first]).every(mayBeFirst)).toBe(true);
  expect(groupHits([open('one')]).some(mayBeFirst)).toBe(false);
});

test('a batch leaves room for two events of ten webhooks in its transaction', () => {
  const hits = Array.from({ length: 100 }, (_, at) => aHit({ id: `v${at}`, network: `${at}` }));
  const rows = (batches: ReturnType<typeof groupHits>) => batches.map((one) => one.hits.length);
  expect(rows(batchesOf(hits))).toEqual([64, 36]);
  expect(rows(groupHits(hits))).toEqual([94, 6]);
});
