import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import type { Tool } from '../../../../contract/tool.ts';
import { publishSiteTool } from '../../../../contract/tools/publish-site-tool.ts';
import { updateProjectFilesTool } from '../../../../contract/tools/update-project-files-tool.ts';
import { updateProjectSettingsTool } from '../../../../contract/tools/update-project-settings-tool.ts';
import { tools } from '../../../../contract/tools.ts';
import { toolInput } from '../../../../lambdas/mcp/tool-input.ts';

const files = [{ path: 'index.html', content: 'Hello' }];
const projectId = '3f0c6d52-8b1e-4f0a-9a57-2f6d1c9e7b10';

describe('the arguments of a tool', () => {
  test('null means absent where a field has no null of its own', () => {
    const sent = { files, title: null, slug: null, expiresIn: null, access: null };
    expect(toolInput(publishSiteTool, sent)).toMatchObject({ access: 'public' });
    expect(toolInput(publishSiteTool, sent)).not.toHaveProperty('title');
  });

  test('null means absent in an item of a list too', () => {
    const [file] = files;
    const sent = { files: [{ ...file, encoding: null }], title: 'x' };
    expect(toolInput(publishSiteTool, sent).files).toEqual([{ ...file, encoding: 'utf8' }]);
    const update = { projectId, mode: 'merge', files: [{ ...file, encoding: null }] };
    expect(toolInput(updateProjectFilesTool, update).files).toEqual([
      { ...file, encoding: 'utf8' },
    ]);
  });

  test('null for a field that is needed is named', () => {
    expect(() => toolInput(publishSiteTool, { files: [{ path: null, content: 'x' }] })).toThrow(
      'files[0].path',
    );
  });

  test('null stays where it says something', () => {
    const sent = { projectId, pageTitle: null, workspaceId: null, title: null };
    const input = toolInput(updateProjectSettingsTool, sent);
    expect(input).toEqual({ projectId, pageTitle: null, workspaceId: null });
  });

  test('an unknown field is named as it is', () => {
    expect(() => toolInput(publishSiteTool, { files, tilte: 'x' })).toThrow(
      'tilte: is not a field of publish_site',
    );
  });

  test.each(['a\0b', 'abc\u202Egpj', 'x\u2066y'])(
    'a title has no hidden characters: %j',
    (title) => {
      expect(() => toolInput(publishSiteTool, { files, title })).toThrow('title: must be one line');
    },
  );
});

test.each<[string, Record<string, unknown>, string]>([
  ['publish_site', { files: [{ path: 'a', contents: 'x' }] }, 'files[0].content: '],
  ['publish_site', { files, expiresIn: '3d' }, '(sent: "3d")'],
  ['publish_site', { files, slug: 'Not A Slug' }, '"Not A Slug"'],
  ['create_upload_link', { projectId: 'mine' }, 'projectId: '],
  ['create_upload_link', { project: 'x' }, 'project: '],
  ['update_project_files', { projectId, files, mode: 'add' }, 'mode: '],
  ['update_project_files', { files }, 'projectId: '],
  ['update_project_settings', { projectId, tags: [] }, 'tags: '],
  ['update_project_settings', { projectId, access: 'password' }, 'password: '],
  ['list_projects', { limit: 51 }, 'limit: '],
  ['list_projects', { cursor: '-1' }, 'cursor: '],
  ['list_projects', { workspaceId: 'x' }, 'workspaceId: '],
  ['list_projects', { offset: 1 }, 'offset: '],
  ['get_project', {}, 'projectId: '],
  ['get_link_opens', { projectId, id: projectId }, 'id: '],
  ['wait_for_open', { projectId, wait: 60 }, 'wait: '],
  ['get_qr_code', { projectId, size: 64 }, 'size: '],
  ['publish_site', { files, access: 'people', people: ['anna'] }, 'people[0]: '],
  ['publish_site', { files, access: 'everybody' }, 'access: '],
  ['create_share_link', { projectId }, 'name: is missing'],
  ['create_share_link', { projectId, name: 'Anna', maxOpens: 0 }, 'maxOpens: '],
  ['list_share_links', { projectId, limit: 5 }, 'limit: '],
  ['get_account', { email: 'x' }, 'email: '],
])('%s refuses %j and says %s', (name, args, problem) => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  expect(() => toolInput(tool, args)).toThrow(problem);
});

/** Values of every kind, some of which each field of each tool accepts. */
const samples: readonly unknown[] = [
  files,
  [{ ...files[0], encoding: 'base64' }],
  [],
  ['index.html', 'a b,"c'],
  2,
  50,
  true,
  false,
  {},
];

const isAccepted = (field: z.core.$ZodType, value: unknown) => z.safeParse(field, value).success;

const everyField = tools.flatMap((tool) =>
  Object.entries<z.core.$ZodType>(tool.input.shape).map(([name, field]) => ({ tool, name, field })),
);

/** Arguments with which a call is valid, whatever one more field is. */
const needed = (tool: Tool) => ({
  ...('projectId' in tool.input.shape && { projectId }),
  ...(tool.name === 'create_share_link' && { name: 'Anna' }),
});

describe('a client sends JSON as text', () => {
  const readFields = everyField.flatMap(({ tool, name, field }) =>
    samples
      .filter((value) => isAccepted(field, value) && !isAccepted(field, JSON.stringify(value)))
      .map((value) => [tool.name, name, value, tool] as const),
  );

  test('for fields of these types, of any tool', () => {
    const names = new Set(readFields.map(([tool, name]) => `${tool}.${name}`));
    expect([...names].toSorted()).toEqual([
      'create_share_link.downloads',
      'create_share_link.maxOpens',
      'create_share_link.version',
      'create_upload_link.askEmail',
      'create_upload_link.askName',
      'create_upload_link.maxBytes',
      'create_upload_link.maxUploads',
      'create_upload_link.notify',
      'create_upload_link.private',
      'create_upload_link.receipts',
      'get_project.readFiles',
      'get_project.version',
      'list_projects.limit',
      'publish_site.allowSecrets',
      'publish_site.asFileBundle',
      'publish_site.files',
      'publish_site.includeHidden',
      'publish_site.people',
      'publish_site.spa',
      'update_project_files.allowSecrets',
      'update_project_files.delete',
      'update_project_files.draft',
      'update_project_files.expectedVersion',
      'update_project_files.files',
      'update_project_files.includeHidden',
      'update_project_settings.analyticsEnabled',
      'update_project_settings.deniedPeople',
      'update_project_settings.disableDownloads',
      'update_project_settings.liveVersion',
      'update_project_settings.noIndex',
      'update_project_settings.people',
      'update_project_settings.prettyUrls',
      'update_project_settings.spa',
    ]);
  });

  test.each(readFields)('%s reads %s %j from its JSON', (_, name, value, tool) => {
    const asText = { ...needed(tool), [name]: ` ${JSON.stringify(value)}\n` };
    expect(toolInput(tool, asText)).toEqual(toolInput(tool, { ...needed(tool), [name]: value }));
  });

  test('an item of a list too, and null in it means absent', () => {
    const item = JSON.stringify({ ...files[0], encoding: null });
    expect(toolInput(publishSiteTool, { files: [item] }).files).toEqual([
      { ...files[0], encoding: 'utf8' },
    ]);
    expect(toolInput(publishSiteTool, { files: `[${item}]` }).files).toEqual([
      { ...files[0], encoding: 'utf8' },
    ]);
  });

  const texts = ['[]', '{}', '["a"]', 'true', '2', 'null', '"x"', JSON.stringify(files)];
  test.each(everyField.map(({ tool, name, field }) => [tool.name, name, field, tool] as const))(
    '%s keeps a text of %s where a text is possible',
    (_, name, field, tool) => {
      for (const text of texts.filter((one) => isAccepted(field, one))) {
        const read = toolInput(tool, { ...needed(tool), [name]: text });
        expect(read).toHaveProperty(name, z.parse(field, text));
      }
    },
  );

  test('the content of a file that is JSON stays as it is', () => {
    const content = '{"files": ["a"], "n": null}';
    const sent = { files: JSON.stringify([{ path: 'data.json', content }]) };
    expect(toolInput(publishSiteTool, sent).files?.[0]).toMatchObject({ content });
  });

  test.each<[string, unknown, string]>([
    ['files', '[{"path": "a"', 'files: must be a list'],
    ['files', 'index.html', 'files: must be a list'],
    ['files', '{"path": "a", "content": "b"}', 'files: must be a list'],
    ['files', '"[]"', 'files: must be a list'],
    ['files', '[{"path": "a", "content": 1}]', 'files[0].content: must be a text'],
    ['files', ['{"path": "a"}'], 'files[0].content: is missing'],
    ['files', ['[]'], 'files[0]: must be an object'],
    ['asFileBundle', 'yes', 'asFileBundle: must be true or false (sent: "yes")'],
    ['asFileBundle', '1', 'asFileBundle: must be true or false (sent: "1")'],
    ['spa', 'always', 'spa: has none of the forms'],
  ])('%s %j is refused: %s', (name, value, problem) => {
    expect(() => toolInput(publishSiteTool, { [name]: value })).toThrow(problem);
  });

  test('a list of too many items is refused before its items are read', () => {
    const sent = { files: `[${'0,'.repeat(2000)}0]` };
    expect(() => toolInput(publishSiteTool, sent)).toThrow('files: has more than 2000 items');
  });

  test('a refused text of files is not repeated, because it holds their content', () => {
    const secret = '[{"path": "a", "content": "s3cret"';
    for (const sent of [secret, [secret]]) {
      expect(() => toolInput(publishSiteTool, { files: sent })).toThrow(/^(?!.*s3cret)/s);
    }
  });
});
