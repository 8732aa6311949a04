import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { requestOf } from '../../../../web/app/api/request-of.ts';
import { kindOfFile } from '../../../../contract/type-names.ts';
import { formatBytes, formatRelative, plural } from '../../../../web/app/texts/format.ts';
import { hitDays, readHits } from '../../../../web/app/views/project/read-hits.ts';
import { changeOf, formOf } from '../../../../web/app/views/project/settings-form.ts';
import {
  defaultFilter,
  isUnfiltered,
  projectQuery,
} from '../../../../web/app/views/projects/project-filter.ts';
import { allHits, type HitPage, nextOf } from '../../../../web/app/views/project/hit-pages.ts';
import { parseGuide } from '../../../../contract/discovery/connect-guide.ts';
import { operationTable } from '../../../../scripts/web-app/operation-table.ts';
import { operations } from '../../../../contract/operations.ts';
import { exampleProject } from '../../../../contract/examples.ts';
import { ProjectResource } from '../../../../contract/project-resource.ts';

const project = {
  ...ProjectResource.parse(exampleProject),
  version: 1,
  bytes: 15,
  fileCount: 1,
};

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
    expect(changed({ end: { expiresIn: 'none' } })).toEqual({ projectId, expiresIn: 'none' });
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
    'at,outcome,path,country,device,browser,os,referrer,link\r\n' +
    '2026-01-02T10:00:00.000Z,open,"/a,""b""\r\nc",NO,mobile,Safari,iOS,,Anna\r\n' +
    '2026-01-02T09:00:00.000Z,preview,/,,,,,\r\n' +
    '2026-01-01T09:00:00.000Z,bot,/,,,,,\r\n';

  test('are read from CSV with quotes, and counted by day without bots', () => {
    expect(readHits(csv).map(({ outcome }) => outcome)).toEqual(['open', 'preview', 'bot']);
    expect(readHits(csv)[0]).toMatchObject({ country: 'NO', browser: 'Safari', link: 'Anna' });
    expect(hitDays(readHits(csv), 2, new Date('2026-01-02T23:00:00.000Z'))).toEqual([
      { day: '2026-01-01', visits: 0, opens: 0 },
      { day: '2026-01-02', visits: 2, opens: 1 },
    ]);
  });
});

describe('a filter of the list', () => {
  test('asks for what somebody chose and for nothing else', () => {
    expect(projectQuery(defaultFilter)).toEqual({ archived: 'false', sort: 'newest' });
    const filter = { ...defaultFilter, search: ' Harbour ', type: 'pdf', sort: 'title' };
    const query = { archived: 'false', sort: 'title', type: 'pdf', q: 'Harbour' };
    expect(projectQuery(filter)).toEqual(query);
  });

  test('finds archived projects where it names their status', () => {
    const filter = { ...defaultFilter, status: 'archived' };
    expect(projectQuery(filter)).toMatchObject({ archived: 'true', status: 'archived' });
  });

  test('leaves nothing out in any order, until a part of it is chosen', () => {
    expect(isUnfiltered({ ...defaultFilter, sort: 'title', search: ' ' })).toBe(true);
    expect(isUnfiltered({ ...defaultFilter, domainId: 'd' })).toBe(false);
  });
});

test('a guide keeps sections that name the endpoint or have a command for it, with code apart from text', () => {
  const guide =
    '# T\n\n## A\n\nSee [this](x.md) **now**.\n\n```sh\nrun https://app.example.com/mcp\n```\n\n## B\n\nNothing at https://app.example.com.\n\n## CI\n\n```yaml\nurl: https://app.example.com\n```\n';
  expect(parseGuide(guide)).toEqual([
    {
      name: 'A',
      blocks: [
        { kind: 'text', text: 'See this now.' },
        { kind: 'code', text: 'run https://app.example.com/mcp' },
      ],
    },
    { name: 'CI', blocks: [{ kind: 'code', text: 'url: https://app.example.com' }] },
  ]);
});

test('the guide of the app has a section for CI: the action, and one request with curl', () => {
  const text = readFileSync(new URL('../../../../docs/connect.md', import.meta.url), 'utf8');
  const ci = parseGuide(text).find(({ name }) => name.includes('CI'));
  const code = ci?.blocks.filter(({ kind }) => kind === 'code').map((block) => block.text);
  expect(code?.join('\n')).toContain('.github/actions/publish@');
  expect(code?.join('\n')).toMatch(/^curl .*https:\/\/app\.example\.com\/v1\/projects/m);
});

test.each([
  ['days.ics', 'code', 'Calendar'],
  ['Team.XLSX', 'document', 'Spreadsheet'],
  ['rows.csv', 'document', 'Table'],
  ['study.ipynb', 'python', 'Notebook'],
  ['server.log', 'document', 'Log'],
  ['note.eml', 'code', 'E-mail'],
  ['team.vcf', 'code', 'Contacts'],
  ['walk.GPX', 'code', 'Map'],
  ['plan.drawio', 'code', 'Diagram'],
  ['tides.jsonl', 'code', 'Table'],
  ['main.ts', 'code', 'Code'],
  ['letter.docx', 'document', 'Document'],
  ['log', 'files', 'File'],
] as const)('%s is called by its kind', (name, type, kind) => {
  expect(kindOfFile(name, type)).toBe(kind);
});

test('numbers, sizes and times are written as the language does', () => {
  expect(formatBytes(0)).toBe('0 bytes');
  expect(formatBytes(4_500_000)).toBe('4.3 MB');
  expect(formatRelative('2026-01-01T00:00:00.000Z', Date.parse('2026-01-01T02:00:00.000Z'))).toBe(
    '2 hours ago',
  );
  expect([plural(1, { one: 'a', other: 'b' }), plural(0, { one: 'a', other: 'b' })]).toEqual([
    'a',
    'b',
  ]);
});

describe('all hits', () => {
  test('are one CSV with one header, from pages that name the next one', async () => {
    const pages: Record<string, HitPage> = {
      '/v1/projects/p/analytics/hits.csv?limit=5000': {
        csv: 'at,outcome\r\n2,open\r\n',
        next: '/b',
      },
      '/b': { csv: 'at,outcome\r\n1,bot\r\n', next: undefined },
    };
    const read = async (address: string) => pages[address] ?? { csv: '', next: undefined };
    const counts: number[] = [];
    const csv = await allHits('p', read, (count) => counts.push(count));
    expect(csv).toBe('at,outcome\r\n2,open\r\n1,bot\r\n');
    expect(counts).toEqual([1, 2]);
  });

  test.each([
    ['</v1/x?before=1>; rel="next"', '/v1/x?before=1'],
    ['<https://other.example/v1/x?a=1>; rel=next', '/v1/x?a=1'],
    ['</v1/x>; rel="prev"', undefined],
    [null, undefined],
  ])('the next page of %s is %s', (link, next) => {
    expect(nextOf(link)).toBe(next);
  });
});
