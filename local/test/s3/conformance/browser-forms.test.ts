import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { describe, expect, test } from '@jest/globals';
import { client, Bucket, key, md5, get, exists, outcome } from './suite.ts';

describe('browser forms', () => {
  type Form = { fields: Record<string, string>; file: string; url: string };

  async function signedForm(name: string, expires = 60): Promise<Form> {
    const { url, fields } = await createPresignedPost(client, {
      Bucket,
      Key: key(name),
      Expires: expires,
      Fields: { 'Content-Type': 'text/plain', 'x-amz-meta-owner': 'me' },
      Conditions: [
        ['content-length-range', 3, 10],
        ['starts-with', '$x-amz-meta-note', 'ok-'],
        ['starts-with', '$Cache-Control', ''],
      ],
    });
    return {
      url,
      fields: { ...fields, 'x-amz-meta-note': 'ok-1', 'Cache-Control': 'no-cache' },
      file: 'hello',
    };
  }

  async function send({ url, fields, file }: Form): Promise<Response> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([file]), 'file name.txt');
    return fetch(url, { method: 'POST', body: form });
  }

  test('stores a file whose form meets every condition', async () => {
    const response = await send(await signedForm('posted'));
    expect(response.status).toBe(204);
    expect(response.headers.get('etag')).toBe(`"${md5('hello')}"`);
    const read = await get('posted');
    expect(read.bytes.toString()).toBe('hello');
    expect(read).toMatchObject({
      ContentType: 'text/plain',
      CacheControl: 'no-cache',
      Metadata: { owner: 'me', note: 'ok-1' },
    });
  });

  test('puts the file name into the key and answers 201 with the location', async () => {
    const { url, fields } = await createPresignedPost(client, {
      Bucket,
      Key: key('named/${filename}'),
      Fields: { success_action_status: '201' },
    });
    const response = await send({ url, fields, file: 'x' });
    expect(response.status).toBe(201);
    expect(await response.text()).toContain(`<Key>${key('named/file name.txt')}</Key>`);
    expect(await exists('named/file name.txt')).toBe(true);
  });

  const set = (fields: Record<string, string>) => (form: Form) =>
    void Object.assign(form.fields, fields);
  const drop = (name: string) => (form: Form) => void delete form.fields[name];
  test.each<[string, (form: Form) => void, string]>([
    ['a file below the least size', (form) => (form.file = 'hi'), '400 EntityTooSmall'],
    [
      'a file above the greatest size',
      (form) => (form.file = 'much too long'),
      '400 EntityTooLarge',
    ],
    ['another key', (form) => set({ key: `${form.fields.key}x` })(form), '403 AccessDenied'],
    ['another content type', set({ 'Content-Type': 'text/html' }), '403 AccessDenied'],
    ['a field that begins otherwise', set({ 'x-amz-meta-note': 'no-1' }), '403 AccessDenied'],
    ['a missing field', drop('x-amz-meta-owner'), '403 AccessDenied'],
    ['a field that the policy does not name', set({ 'x-amz-meta-extra': '1' }), '403 AccessDenied'],
    ['another bucket', set({ bucket: 'other-bucket' }), '403 AccessDenied'],
    ['a wrong signature', set({ 'X-Amz-Signature': '0'.repeat(64) }), '403 SignatureDoesNotMatch'],
    [
      'a changed policy',
      (form) => set({ Policy: Buffer.from('{}').toString('base64') })(form),
      '403 SignatureDoesNotMatch',
    ],
    ['no policy', drop('Policy'), '403 AccessDenied'],
    ['no key', drop('key'), '400 InvalidArgument'],
  ])('refuses %s', async (title, change, expected) => {
    const name = `refused-${title}`;
    const form = await signedForm(name);
    change(form);
    expect(await outcome(await send(form))).toBe(expected);
    expect(await exists(name)).toBe(false);
    expect(await exists(`${name}x`)).toBe(false);
  });

  test('refuses a form whose policy has expired', async () => {
    expect(await outcome(await send(await signedForm('late', -60)))).toBe('403 AccessDenied');
  });

  test('refuses a form without a file', async () => {
    const { url, fields } = await signedForm('no-file');
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    expect(await outcome(await fetch(url, { method: 'POST', body: form }))).toBe(
      '400 InvalidArgument',
    );
  });
});
