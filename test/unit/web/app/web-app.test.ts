import { describe, expect, test } from '@jest/globals';
import { requestOf } from '../../../../web/app/api/request-of.ts';
import { formatBytes, formatRelative, plural } from '../../../../web/app/texts/format.ts';
import { hitDays, readHits } from '../../../../web/app/views/project/read-hits.ts';
import { changeOf, formOf } from '../../../../web/app/views/project/settings-form.ts';
import {
  defaultFilter,
  matchingProjects,
} from '../../../../web/app/views/projects/project-filter.ts';
import { parseGuide } from '../../../../scripts/web-app/connect-guide.ts';
import { operationTable } from '../../../../scripts/web-app/operation-table.ts';
import { operations } from '../../../../contract/operations.ts';
import { exampleProject } from '../../../../contract/examples.ts';
import { ProjectResource } from '../../../../contract/project-settings.ts';

const project = ProjectResource.parse(exampleProject);

describe('a request', () => {
  const path = '/v1/projects/{projectId}';
  test('has fields in its path, encoded, and the others in its query or body', () => {
    const input = { projectId: 'a/b?', limit: 5, none: undefined };
    expect(requestOf({ method: 'GET', path, body: 'none' }, input)).toEqual({
      url: '/v1/projects/a%2Fb%3F?limit=5',
      method: 'GET',
      headers: {},
    });
    expect(requestOf({ method: 'PATCH', path, body: 'json' }, input)).toMatchObject({
      url: '/v1/projects/a%2Fb%3F',
      body: '{"limit":5}',
    });
  });

  test('can be made for every operation', async () => {
    const ids = Object.values(await operationTable()).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  });
});

describe('a change of settings', () => {
  const changed = (fields: Partial<ReturnType<typeof formOf>>) =>
    changeOf(project, { ...formOf(project), ...fields });

  test('sends what was changed and nothing else', () => {
    const { id: projectId } = project;
    expect(changed({})).toEqual({ projectId });
    expect(changed({ title: 'New' })).toEqual({ projectId, title: 'New' });
    expect(changed({ isPublished: false })).toEqual({ projectId, status: 'private' });
    expect(changed({ expiresIn: 'none' })).toEqual({ projectId, expiresIn: 'none' });
    expect(changed({ access: 'password', password: 'p' })).toEqual({
      projectId,
      access: 'password',
      password: 'p',
    });
  });

  test('an emptied text is null', () => {
    const form = { ...formOf({ ...project, pageTitle: 'Old' }), pageTitle: '' };
    expect(changeOf({ ...project, pageTitle: 'Old' }, form)).toEqual({
      projectId: project.id,
      pageTitle: null,
    });
  });
});

describe('hits', () => {
  const csv =
    'at,outcome,path,country,device,browser,os,referrer\r\n' +
    '2026-01-02T10:00:00.000Z,open,"/a,""b""\r\nc",NO,mobile,Safari,iOS,\r\n' +
    '2026-01-02T09:00:00.000Z,preview,/,,,,,\r\n' +
    '2026-01-01T09:00:00.000Z,bot,/,,,,,\r\n';

  test('are read from CSV with quotes, and counted by day without bots', () => {
    expect(readHits(csv).map(({ outcome }) => outcome)).toEqual(['open', 'preview', 'bot']);
    expect(hitDays(readHits(csv), 2, new Date('2026-01-02T23:00:00.000Z'))).toEqual([
      { day: '2026-01-01', visits: 0, opens: 0 },
      { day: '2026-01-02', visits: 2, opens: 1 },
    ]);
  });
});

test('the list is filtered by every part, and sorted', () => {
  const other = { ...project, title: 'Alpha', type: 'pdf' as const };
  const filter = { ...defaultFilter, sort: 'title' as const };
  expect(matchingProjects([project, other], filter)).toEqual([other, project]);
  expect(matchingProjects([project, other], { ...filter, type: 'pdf' })).toEqual([other]);
  expect(matchingProjects([project, other], { ...filter, search: ' ALPHA ' })).toEqual([other]);
});

test('a guide keeps sections that name the endpoint, with code apart from text', () => {
  const guide =
    '# T\n\n## A\n\nSee [this](x.md) **now**.\n\n```sh\nrun https://app.example.com/mcp\n```\n\n## B\n\nNothing.\n';
  expect(parseGuide(guide)).toEqual([
    {
      name: 'A',
      blocks: [
        { kind: 'text', text: 'See this now.' },
        { kind: 'code', text: 'run https://app.example.com/mcp' },
      ],
    },
  ]);
});

test('numbers, sizes and times are written as the language does', () => {
  expect(formatBytes(0)).toBe('0 byte');
  expect(formatBytes(4_500_000)).toBe('4.5 MB');
  expect(formatRelative('2026-01-01T00:00:00.000Z', Date.parse('2026-01-01T02:00:00.000Z'))).toBe(
    '2 hours ago',
  );
  expect([plural(1, { one: 'a', other: 'b' }), plural(0, { one: 'a', other: 'b' })]).toEqual([
    'a',
    'b',
  ]);
});
