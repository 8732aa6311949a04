import { expect, test } from '@jest/globals';
import { instant } from '../../../../core/instants.ts';
import type { Project } from '../../../../core/projects/project.ts';
import { eventsOfChange } from '../../../../core/webhooks/change-events.ts';
import { aProject, aTemporaryProject, aVersion } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';

const at = instant(now);
const takedown = { reason: 'Spam', at };
const types = (before: Project | undefined, after: Project, more = {}) =>
  eventsOfChange({ before, after, at, ...more }).map(({ type }) => type);
const byLink = aVersion({ version: 2, publishedBy: { kind: 'link', id: null, name: null } });
const one = aProject({ version: 1 });
const two = aProject({ version: 2 });

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
  ['a project of nobody', undefined, aTemporaryProject(), { version: aVersion() }, []],
])('%s', (_, before, after, more, expected) => {
  expect(types(before, after, more)).toEqual(expected);
});
