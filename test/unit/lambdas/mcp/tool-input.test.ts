import { describe, expect, test } from '@jest/globals';
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
      expect(() => toolInput(publishSiteTool, { files, title })).toThrow('title: must have no NUL');
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
  ['get_qr_code', { projectId, size: 64 }, 'size: '],
  ['get_account', { email: 'x' }, 'email: '],
])('%s refuses %j and says %s', (name, args, said) => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  expect(() => toolInput(tool, args)).toThrow(said);
});
