import { describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { mediaType } from '../../../core/content/media-type.ts';
import { ask, file, publish } from '../../fixtures/clouds/client.ts';
import { type KindOfSite, kindsOfSite } from '../../fixtures/visits/kinds-of-site.ts';

const opened = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html' };

/** What builders leave beside the site: Sphinx `.buildinfo`, rustdoc `.lock`. */
const isHidden = (path: string) => /^\.(?!well-known\/)/.test(path);

async function published({ name, files }: KindOfSite): Promise<string> {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  const answer = await publish([
    file(`${name}.zip`, await zip.generateAsync({ type: 'nodebuffer' })),
    { name: 'zipIndexHtmlPath', body: 'index.html' },
  ]);
  if (answer.status !== 200) throw new Error(`${name} was not published: ${answer.text}`);
  const { url, warnings } = answer.json.data;
  const hidden = Object.keys(files).filter(isHidden);
  const leftOut = { kind: 'left-out', count: hidden.length, paths: hidden };
  const expected = hidden.length === 0 ? undefined : [{ ...leftOut, message: expect.any(String) }];
  expect({ name, warnings }).toEqual({ name, warnings: expected });
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
    const served = Object.entries(kind.files).filter(
      ([path]) => path !== '_headers' && !isHidden(path),
    );
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
    for (const path of Object.keys(kind.files).filter(isHidden)) {
      expect([path, (await ask(`${url}/${path}`)).status]).toEqual([path, 404]);
    }
    for (const [path] of kind.pages) {
      const [address = ''] = path.split('#');
      expect([address, (await ask(url + address, { headers: opened })).status]).toEqual([
        address,
        200,
      ]);
    }
  });
});
