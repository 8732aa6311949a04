import { describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, isLocal } from '../../fixtures/clouds/client.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { begun, publishedUpload, sent } from '../../fixtures/uploads/uploads.ts';

// The codes are read from the local inbox.
const local = isLocal ? test : test.skip;

/** The limits themselves; one more is refused in `uploads.test.ts`, whatever the size here. */
const most = proofSize({
  short: { files: 50, zippedFiles: 50 },
  whole: { files: 2000, zippedFiles: 500 },
});

describe('as many files as an upload may have', () => {
  local('are begun with a key', async () => {
    const files = Array.from({ length: most.files }, (_, at) => [`${at}.txt`, '1']);
    const { urls } = await begun(Object.fromEntries(files), { apiKey: await signIn() });
    expect(urls).toHaveLength(most.files);
  });

  test('are published from a ZIP without a key, and as many bytes', async () => {
    const many = new JSZip();
    many.file('index.html', '<h1>Many</h1>');
    for (let at = 1; at < most.zippedFiles; at += 1) many.file(`pages/${at}.txt`, `page ${at}`);
    const { url } = await publishedUpload('temp', await sent(await packed(many)));
    const last = most.zippedFiles - 1;
    expect((await ask(`${url}/pages/${last}.txt`)).text).toBe(`page ${last}`);
    const large = new JSZip().file('a.bin', Buffer.alloc(10 * 1024 * 1024));
    await publishedUpload('temp', await sent(await packed(large)));
  });
});

function packed(zip: JSZip): Promise<Buffer> {
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}
