import { describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { mediaType } from '../../../core/content/media-type.ts';
import { ask, file, publish } from '../../fixtures/clouds/client.ts';
import { type KindOfSite, kindsOfSite } from '../../fixtures/visits/kinds-of-site.ts';

const opened = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html' };

async function published({ name, files }: KindOfSite): Promise<string> {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  const answer = await publish([
    file(`${name}.zip`, await zip.generateAsync({ type: 'nodebuffer' })),
    { name: 'zipIndexHtmlPath', body: 'index.html' },
  ]);
  if (answer.status !== 200) throw new Error(`${name} was not published: ${answer.text}`);
  const { url, warnings } = answer.json.data;
  expect({ name, warnings }).toEqual({ name, warnings: undefined });
  return url;
}

/** Types that a name does not tell: the file is text. */
const typeOf = (path: string, content: string | Buffer) => {
  const byName = mediaType(path);
  const isText = typeof content === 'string' && byName === 'application/octet-stream';
  return isText && content !== '' ? 'text/plain; charset=utf-8' : byName;
};

describe('every file of a built site has its bytes and its type, and every page its address', () => {
  test('there are seventeen kinds', () => {
    expect(new Set(kindsOfSite.map(({ name }) => name)).size).toBe(17);
  });

  test.each(kindsOfSite.map((kind) => [kind.name, kind] as const))('%s', async (_, kind) => {
    const url = await published(kind);
    const served = Object.entries(kind.files).filter(([path]) => path !== '_headers');
    const answers = await Promise.all(
      served.map(async ([path, content]) => {
        const { status, headers, body } = await ask(`${url}/${path}`);
        const isSame = body.equals(Buffer.from(content));
        return { path, status, type: headers['content-type'], isSame };
      }),
    );
    expect(answers).toEqual(
      served.map(([path, content]) => ({
        path,
        status: 200,
        type: typeOf(path, content),
        isSame: true,
      })),
    );
    for (const [path] of kind.pages) {
      const [address = ''] = path.split('#');
      expect([address, (await ask(url + address, { headers: opened })).status]).toEqual([
        address,
        200,
      ]);
    }
  });
});
