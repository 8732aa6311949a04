import { beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, isLocal } from '../../fixtures/clouds/client.ts';
import { called, callTool } from '../../fixtures/agents/mcp.ts';
import { history } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
let key = '';
beforeAll(async () => {
  if (isLocal) key = await signIn();
});

const text = async (url: string) => (await ask(url)).text;
const site = [
  { path: 'start.html', content: '<h1>Start</h1>' },
  { path: 'about.html', content: '<h1>About</h1>' },
  { path: '_redirects', content: '/old /about 302\n' },
];
const publish = (args: Record<string, unknown>) => called(key, 'publish_site', args);
const merge = (projectId: string, change: Record<string, unknown>) =>
  called(key, 'update_project_files', { projectId, ...change });
const tryMerge = (projectId: string, change: Record<string, unknown>) =>
  callTool(key, 'update_project_files', { projectId, ...change });

/** A site of several pages that came as a ZIP, whose home is none that anybody would guess. */
async function aZippedSite() {
  const zip = new JSZip();
  for (const { path, content } of site) zip.file(path, content);
  const zipBase64 = await zip.generateAsync({ type: 'base64' });
  return publish({ zipBase64, zipIndexHtmlPath: 'start.html' });
}

local('a named preview', () => {
  test('shows files beside the live version, is listed, changed and ended', async () => {
    const { projectId, url } = await publish({ files: site });
    const preview = 'new-nav';
    const shown = await merge(projectId, { preview, mode: 'replace', files: site });
    expect(shown).toMatchObject({ url: url.replace('.', '--new-nav.'), version: 1, files: 3 });
    await merge(projectId, { preview, files: [{ path: 'about.html', content: 'New' }] });
    const { previews } = await called(key, 'get_project', { projectId });
    expect(previews).toMatchObject([{ name: preview, url: shown.url, fileCount: 3 }]);
    expect(await text(`${url}/about`)).toBe('<h1>About</h1>');
    expect(await text(`${shown.url}/about`)).toBe('New');
    expect(await history(key, projectId)).toEqual(['1 active']);
    expect(await called(key, 'delete_project', { projectId, preview })).toEqual({
      deleted: true,
      projectId,
    });
    expect((await called(key, 'get_project', { projectId })).previews).toEqual([]);
    expect((await ask(shown.url)).status).toBe(404);
    expect(await text(`${url}/about`)).toBe('<h1>About</h1>');
  });

  test.each([
    ['must be `replace`', { files: site }],
    ['`draft`', { mode: 'replace', files: site, draft: true }],
    ['`mode: merge` only', { mode: 'replace', files: site, delete: ['about.html'] }],
    ['not like v3', { mode: 'replace', files: site, preview: 'v3' }],
  ])('is refused with the reason: %s', async (wrong, change) => {
    const { projectId } = await publish({ files: site });
    const { isError, content } = await tryMerge(projectId, { preview: 'pr-1', ...change });
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining(wrong)]);
  });
});

local('files that agents merge', () => {
  test('keep the home, the type and the rules of a site that came as a ZIP', async () => {
    const { projectId, url } = await aZippedSite();
    await merge(projectId, {
      files: [
        { path: 'index.html', content: '<h1>Index</h1>' },
        { path: '_headers', content: '/*\n  X-From: rules\n' },
      ],
    });
    const home = await ask(`${url}/`);
    expect([home.text, home.headers['x-from']]).toEqual(['<h1>Start</h1>', 'rules']);
    const old = await ask(`${url}/old`);
    expect([old.status, old.headers['location']]).toEqual([302, '/about']);
    const project = (await get(`/v1/projects/${projectId}`, key)).json.data;
    expect(project.type).toBe('zip');
    // The most likely remaining page replaces a removed home page.
    await merge(projectId, { delete: ['start.html', '_redirects'] });
    expect(await text(`${url}/`)).toBe('<h1>Index</h1>');
    expect((await ask(`${url}/old`)).status).toBe(404);
  });

  test('are served byte for byte, also from base64 with line breaks', async () => {
    const { projectId, url } = await publish({ files: site });
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7) % 256));
    const content = bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
    await merge(projectId, { files: [{ path: 'icon.png', content, encoding: 'base64' }] });
    const icon = await ask(`${url}/icon.png`);
    expect([icon.headers['content-type'], icon.body.equals(bytes)]).toEqual(['image/png', true]);
  });

  test.each([
    ['about.html', { files: [{ path: 'about.html/x', content: '' }] }],
    ['about.html', { delete: ['ABOUT.html'] }],
    ['data: URL', { files: [{ path: 'a.png', content: 'data:,x', encoding: 'base64' }] }],
    ['all 3 files', { delete: site.map(({ path }) => path) }],
  ])('are refused with the reason: %s', async (wrong, change) => {
    const { projectId, url } = await publish({ files: site });
    const { isError, content } = await tryMerge(projectId, change);
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining(wrong)]);
    expect(await text(`${url}/about`)).toBe('<h1>About</h1>');
    expect(await history(key, projectId)).toEqual(['1 active']);
  });
});
