import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file, isLocal, publish } from '../../fixtures/clouds/client.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { change, pushed } from '../../fixtures/projects/versions.ts';
import { PictureHost } from '../../fixtures/uploads/picture-host.ts';
import { ended, publishedUpload, sent } from '../../fixtures/uploads/uploads.ts';

const takePictures = { takePictures: 'true' };

// Only a local cloud fetches from this computer.
const local = isLocal ? describe : describe.skip;

local('pictures on other sites', () => {
  const host = new PictureHost();
  let apiKey = '';
  let readme = '';
  let remote: object;
  beforeAll(async () => {
    await host.start();
    host.answers['/gone.png'] = (_, response) => void response.writeHead(404).end();
    readme = `# Quay\n\n![Quay](${host.url('/quay.png')})\n`;
    const pictures = [{ path: 'readme.md', address: host.url('/quay.png') }];
    remote = { kind: 'remote-pictures', count: 1, pictures };
    apiKey = await signIn();
  });
  afterAll(() => host.close());

  /** The picture on the page at an address, and what it is answered with. */
  async function shown(url: string) {
    const [, src] = /<img src="(\/_pictures\/[^"]+)"/.exec((await ask(url)).text) ?? [];
    if (src === undefined) return undefined;
    const { status, headers } = await ask(new URL(src, url).href);
    return { status, type: headers['content-type'] };
  }
  const isShown = { status: 200, type: 'image/png' };

  test('are named and not fetched, also without an account, which cannot take them along', async () => {
    host.got.length = 0;
    const parts = [file('readme.md', readme)];
    const temporary = (await publish(parts)).json.data;
    expect(temporary.warnings).toMatchObject([remote]);
    const { url, warnings } = await created(apiKey, { files: parts });
    expect(warnings).toMatchObject([remote]);
    expect(warnings[0].pictures[0].reason).toBeUndefined();
    expect(await shown(url)).toBeUndefined();
    expect(host.got).toEqual([]);
    const asked = await publish([...parts, { name: 'takePictures', body: 'true' }]);
    expect(asked.json.data.warnings[0].message).toContain('With an account, `takePictures: true`');
    expect(host.got).toEqual([]);
  });

  test('are taken along by a new project, whose text stays as it is', async () => {
    const files = [file('readme.md', readme)];
    const project = await created(apiKey, { files, fields: takePictures });
    expect(project).toMatchObject({ type: 'markdown' });
    expect(project.warnings).toBeUndefined();
    expect(await shown(project.url)).toEqual(isShown);
    expect((await ask(`${project.url}/readme.md`)).text).toBe(readme);
  });

  test('come and go with the versions of a project, whose page changes with them', async () => {
    const { projectId, url } = await created(apiKey, { files: [file('readme.md', readme)] });
    const before = await ask(url);
    await pushed(apiKey, projectId, [file('readme.md', readme)], { fields: takePictures });
    expect(await shown(url)).toEqual(isShown);
    const etag = String(before.headers['etag']);
    expect((await ask(url, { headers: { 'if-none-match': etag } })).status).toBe(200);
    // A merge keeps them, and the text stays the only one.
    const more = `${readme}More.\n`;
    await change(apiKey, projectId, [file('readme.md', more)]);
    expect(await shown(url)).toEqual(isShown);
    const { type, warnings } = (await get(`/v1/projects/${projectId}`, apiKey)).json.data;
    expect({ type, warnings }).toEqual({ type: 'markdown', warnings: undefined });
    await pushed(apiKey, projectId, [file('readme.md', readme)]);
    expect(await shown(url)).toBeUndefined();
    const merged = await change(apiKey, projectId, [
      file('readme.md', more),
      { name: 'takePictures', body: 'true' },
    ]);
    expect(merged.json.data.warnings).toBeUndefined();
    expect(await shown(url)).toEqual(isShown);
  });

  test('are shown by the pages of a folder and of its texts', async () => {
    const files = [file('readme.md', readme), file('docs/more.md', readme), file('a.txt', 'x')];
    const { url, warnings } = await created(apiKey, { files, fields: takePictures });
    expect(warnings).toBeUndefined();
    for (const page of [url, `${url}/readme.md/`, `${url}/docs/more.md/`]) {
      expect(await shown(page)).toEqual(isShown);
    }
  });

  test('are told with a reason where they cannot be taken along', async () => {
    const text = `${readme}![](${host.url('/gone.png')})`;
    const { url, warnings } = await created(apiKey, {
      files: [file('readme.md', text)],
      fields: takePictures,
    });
    expect(warnings).toMatchObject([
      { count: 1, pictures: [{ path: 'readme.md', reason: 'its site answered 404' }] },
    ]);
    expect(await shown(url)).toEqual(isShown);
  });

  test('are told, and taken along, by uploads to storage, also by those that a worker publishes', async () => {
    const small = await sent({ 'readme.md': readme }, { apiKey });
    await publishedUpload('create', small, { apiKey });
    expect((await ended(small, { apiKey })).warnings).toMatchObject([remote]);
    const many = Object.fromEntries(Array.from({ length: 210 }, (_, at) => [`${at}.txt`, 'x']));
    const large = await sent({ 'readme.md': readme, ...many }, { apiKey });
    const { url } = await publishedUpload('create', large, { apiKey, fields: takePictures });
    expect((await ended(large, { apiKey })).warnings).toBeUndefined();
    expect(await shown(url)).toEqual(isShown);
    const untaken = await sent({ 'readme.md': readme, ...many }, { apiKey });
    await publishedUpload('create', untaken, { apiKey });
    expect((await ended(untaken, { apiKey })).warnings).toMatchObject([remote]);
  });
});
