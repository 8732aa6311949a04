import { beforeAll, describe, expect, test } from '@jest/globals';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file, isLocal } from '../../fixtures/clouds/client.ts';
import { created, temporary } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { patch } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const gif = Buffer.concat([
  Buffer.from('GIF89a'),
  Buffer.from('4001f000800000ffffff0000002c000000000100010000020244013b', 'hex'),
]);
const embed = (url: string, more = '') =>
  ask(`${baseUrl}/oembed?url=${encodeURIComponent(url)}${more}`);

test('a published page is embedded as its oEmbed link says', async () => {
  const { url } = await temporary();
  const [, link = ''] = /^<([^>]+)>/.exec((await ask(url)).headers.link as string) ?? [];
  const answer = await ask(link);
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ version: '1.0', type: 'rich', width: 800, height: 600 });
  expect(answer.json.html).toContain(`src="${url}/"`);
});

test('an image is a photo of the allowed size', async () => {
  const { url } = await temporary([file('a.gif', gif)]);
  expect((await embed(url, '&maxwidth=160')).json).toMatchObject({
    type: 'photo',
    url: `${url}/a.gif`,
    width: 160,
    height: 120,
  });
});

test.each([
  ['another site', 'https://example.org/', 404, 'NOT_FOUND', ''],
  ['no address', 'nothing', 404, 'NOT_FOUND', ''],
  ['no address at all', '', 400, 'INVALID_REQUEST', ''],
  ['a bound that is none', 'https://example.org/', 400, 'INVALID_REQUEST', '&maxwidth=wide'],
  ['XML', 'https://example.org/', 400, 'FORMAT_NOT_OFFERED', '&format=xml'],
])('refuses %s', async (_, url, status, code, more) => {
  expectRefusal(await embed(url, more), status, code);
});

local('a project that not everybody may see', () => {
  let key = '';
  beforeAll(async () => {
    key = await signIn();
  });

  test.each([
    ['with a password', { access: 'password', password: 'long enough' }, 401, 'NOT_PUBLIC'],
    ['of its owner alone', { access: 'private' }, 401, 'NOT_PUBLIC'],
    ['unpublished', { status: 'private' }, 404, 'NOT_FOUND'],
  ])('is not embedded, and its title is not revealed: %s', async (_, settings, status, code) => {
    const { projectId, url } = await created(key, { fields: { title: 'Very secret' } });
    await patch(key, projectId, settings);
    const answer = await embed(url);
    expectRefusal(answer, status, code);
    expect(answer.text).not.toContain('secret');
  });
});
