import { expect, test } from '@jest/globals';
import { instant } from '../../../../core/instants.ts';
import type { Project } from '../../../../core/projects/project.ts';
import { eventsOfChange, eventsOfDomain } from '../../../../core/webhooks/change-events.ts';
import type { DomainChange } from '../../../../core/domains/ports.ts';
import { aDomain } from '../../../fixtures/domains/a-domain.ts';
import { aProject, aTemporaryProject, aVersion } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';

const at = instant(now);
const takedown = { reason: 'Spam', at };
const types = (before: Project | undefined, after: Project, more = {}) =>
  eventsOfChange({ before, after, at, ...more }).map(({ type }) => type);
const byLink = aVersion({ version: 2, publishedBy: { kind: 'link', id: null, name: null } });
const one = aProject({ version: 1 });
const two = aProject({ version: 2 });

const later = '2026-03-09T12:00:00.000Z';
const ending = aProject({ expiresAt: '2026-03-02T12:00:00.000Z' });
const announced = { ...ending, announcedEnd: ending.expiresAt ?? undefined };
const past = { expiresAt: '2026-03-01T11:00:00.000Z', announcedEnd: '2026-03-01T11:00:00.000Z' };

test('a version that becomes live was published', () => {
  const events = eventsOfChange({
    before: one,
    after: two,
    at,
    version: aVersion({ version: 2, publishedBy: { kind: 'key', id: null, name: 'CI' } }),
  });
  expect(events).toEqual([
    {
      type: 'version.published',
      at,
      accountId: two.ownerId,
      projectId: two.id,
      data: {
        projectId: two.id,
        title: two.title,
        host: two.host,
        version: 2,
        publishedBy: { kind: 'key', name: 'CI' },
      },
    },
  ]);
});

test.each<[string, Project | undefined, Project, object, string[]]>([
  ['a new project', undefined, one, { version: aVersion() }, ['version.published']],
  ['an earlier version that is live again', two, one, {}, ['version.published']],
  ['a draft', one, one, { version: aVersion({ version: 2 }) }, []],
  ['a first version that a worker will store', undefined, aProject({ version: 0 }), {}, []],
  ['files by a link', one, two, { version: byLink }, ['upload.received', 'version.published']],
  ['another title', one, { ...one, title: 'Quay' }, {}, []],
  ['a takedown', one, { ...one, takedown }, {}, ['project.taken_down']],
  ['another reason', { ...one, takedown }, { ...one, takedown: { reason: 'x', at } }, {}, []],
  ['the end of a takedown', { ...one, takedown }, one, {}, []],
  ['an end that is announced', ending, announced, {}, ['project.expiring']],
  ['another change of it', announced, { ...announced, title: 'Quay' }, {}, []],
  ['a later end', announced, { ...announced, expiresAt: later }, {}, []],
  ['an end that was announced too late', ending, { ...announced, ...past }, {}, []],
  ['a project of nobody', undefined, aTemporaryProject(), { version: aVersion() }, []],
])('%s', (_, before, after, more, expected) => {
  expect(types(before, after, more)).toEqual(expected);
});

test('the end of a project is announced with its instant', () => {
  const [event] = eventsOfChange({ before: ending, after: announced, at });
  expect(event?.data).toMatchObject({ projectId: ending.id, expiresAt: ending.expiresAt });
});

const txt = { type: 'TXT', name: '_slipway.docs.example.org', value: 'v=1' } as const;
const facts = { purpose: 'ownership' as const, found: [], hint: null };
const failed = {
  status: 'error_dns',
  checkedAt: at,
  records: [
    { ...txt, ...facts, state: 'missing' },
    { ...txt, ...facts, name: 'right.example.org', state: 'ok' },
  ],
} satisfies DomainChange;

test('a domain that fails is an event of the account, with the records that are not right', () => {
  expect(eventsOfDomain(aDomain({ status: 'ssl_active' }), failed)).toEqual([
    {
      type: 'domain.failed',
      at,
      accountId: aDomain().accountId,
      projectId: null,
      data: { domain: aDomain().name, records: [{ ...txt, state: 'missing' }] },
    },
  ]);
});

test.each<[string, DomainChange]>([
  ['it failed before', failed],
  ['it is looked at again later', { dueAt: at }],
  ['it is right again', { ...failed, status: 'active' }],
])('none while %s', (_, change) => {
  expect(eventsOfDomain(aDomain({ status: 'error_dns' }), change)).toEqual([]);
});
