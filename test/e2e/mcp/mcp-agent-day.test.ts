import { describe, expect, test } from '@jest/globals';
import { get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { bothEras, toolsOf } from '../../fixtures/agents/both-eras.ts';
import { ask, baseUrl, file, isLocal } from '../../fixtures/clouds/client.ts';
import { openPreview, preview } from '../../fixtures/projects/preview.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { diff, pushed, rollBack } from '../../fixtures/projects/versions.ts';
import { open } from '../../fixtures/visits/opens.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const page = '<!doctype html><title>Fair</title><link rel="stylesheet" href="css/app.css">Old';
const css = 'h1{color:navy}\n';
/** Bytes that are not text. */
const logo = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);
/** A project that somebody made, whose files this agent has never seen. */
const somebodysProject = (key: string) =>
  created(key, {
    fields: { title: 'Spring fair' },
    files: [
      file('index.html', page),
      file('css/app.css', css),
      file('logo.png', logo),
      file('_redirects', 'nonsense'),
    ],
  });
/** What the link of a preview shows. */
const previewed = async (site: string, link: string) =>
  (await ask(site, { headers: { cookie: await openPreview(link) } })).text;

local.each(bothEras)('an agent’s day with %s', (_, connect) => {
  test('finds a project, reads it, changes a draft, looks at it, goes live, rolls back, reads opens', async () => {
    const key = await signIn();
    const { projectId: id, url } = await somebodysProject(key);
    const client = await connect(key);
    const use = toolsOf(client);

    const { projects } = await use('list_projects', {});
    const projectId = projects.find(({ title }: { title: string }) => title === 'Spring fair').id;
    expect(projectId).toBe(id);
    const found = await use('get_project', { projectId });
    expect(found).toMatchObject({ version: 1, fileCount: 4, nextFilesCursor: null });
    expect(found.bytes).toBe(page.length + css.length + logo.length + 8);
    expect(found.warnings).toEqual([{ file: '_redirects', line: 1, message: expect.any(String) }]);
    expect(found.versions).toEqual([
      { version: 1, status: 'active', bytes: found.bytes, createdAt: expect.any(String) },
    ]);
    const paths = found.files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['_redirects', 'css/app.css', 'index.html', 'logo.png']);

    const { texts } = await use('get_project', { projectId, readFiles: [...paths, 'none.txt'] });
    expect(texts).toEqual([
      { path: '_redirects', text: 'nonsense' },
      { path: 'css/app.css', text: css },
      { path: 'index.html', text: page },
      { path: 'logo.png', problem: expect.stringContaining('not text') },
      { path: 'none.txt', problem: 'does not exist' },
    ]);

    const files = [
      { path: 'index.html', content: page.replace('Old', 'New') },
      { path: 'css/app.css', content: css.replace('navy', 'teal') },
    ];
    const edit = { projectId, files, delete: ['_redirects'], expectedVersion: 1, draft: true };
    const { version, draft } = await use('update_project_files', edit);
    expect(version).toBe(2);
    expect(draft).toMatchObject({
      against: 1,
      added: [],
      changed: ['css/app.css', 'index.html'],
      removed: ['_redirects'],
    });
    expect((await ask(url)).text).toContain('Old');
    expect(await previewed(url, draft.previewUrl)).toContain('New');
    const again = await use('get_project', { projectId, version, readFiles: ['index.html'] });
    expect(again.shown).toMatchObject({ version: 2, against: 1, removed: ['_redirects'] });
    expect(again.texts[0].text).toContain('New');

    await use('update_project_settings', { projectId, liveVersion: 2 });
    expect((await ask(url)).text).toContain('New');
    await use('update_project_settings', { projectId, liveVersion: 1 });
    expect((await ask(url)).text).toContain('Old');

    await open(url);
    expect(await use('get_link_opens', { projectId })).toHaveProperty('opens.total');
    await client.close();
  });

  test('sees the same files as resources, and completes their addresses', async () => {
    const key = await signIn();
    const { projectId } = await somebodysProject(key);
    const client = await connect(key);
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(4);
    const uri = `slipway://projects/${projectId}/files/css/app.css`;
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: 'text/css; charset=utf-8', text: css }]);
    const picture = resources.find(({ name }: { name: string }) => name === 'logo.png');
    expect((await client.readResource({ uri: picture.uri })).contents[0].blob).toBe(
      logo.toString('base64'),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    const ref = { type: 'ref/resource', uri: resourceTemplates[0].uriTemplate };
    const complete = async (argument: object, known = {}) =>
      (await client.complete({ ref, argument, context: { arguments: known } })).completion.values;
    expect(await complete({ name: 'id', value: 'spring' })).toEqual([projectId]);
    const css3 = { name: 'path', value: 'app' };
    expect(await complete(css3, { id: projectId })).toEqual(['css/app.css']);
    const missing = `slipway://projects/${projectId}/files/none.txt`;
    await expect(client.readResource({ uri: missing })).rejects.toThrow('get_project');
    const stranger = await connect(await signIn());
    await expect(stranger.readResource({ uri })).rejects.toThrow('list_projects');
    expect((await stranger.listResources()).resources).toEqual([]);
    await Promise.all([client.close(), stranger.close()]);
  });
});

local('the same day over REST', () => {
  test('finds, reads, changes a draft, looks at it, goes live, rolls back', async () => {
    const key = await signIn();
    const { projectId, url } = await somebodysProject(key);
    const at = `/v1/projects/${projectId}`;
    expect((await get(at, key)).json.data).toMatchObject({ version: 1, fileCount: 4 });
    const listed = (await get(`${at}/files`, key)).json.data;
    const paths = listed.files.map((one: { path: string }) => one.path);
    const texts = `${baseUrl}${at}/file-texts`;
    const { version, files } = (await sendWith(key, texts, { paths })).json.data;
    expect(version).toBe(1);
    expect(files[2]).toEqual({ path: 'index.html', text: page });
    expect(files[3].problem).toContain('not text');
    const fields = { draft: 'true', expectedVersion: '1' };
    await pushed(key, projectId, [file('index.html', 'New')], { fields });
    expect((await diff(key, projectId, 2)).json.data.changed).toEqual(['index.html']);
    const { url: link } = (await preview(key, projectId, 2, baseUrl)).json.data;
    expect(await previewed(url, link)).toContain('New');
    expect((await ask(url)).text).toContain('Old');
    expect((await rollBack(key, projectId, 2)).status).toBe(200);
    expect((await ask(url)).text).toContain('New');
    expect((await rollBack(key, projectId, 1)).status).toBe(200);
    expect((await ask(url)).text).toContain('Old');
  });
});
