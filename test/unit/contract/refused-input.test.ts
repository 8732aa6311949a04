import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Operation } from '../../../contract/operation.ts';
import { operations } from '../../../contract/operations.ts';
import { CodedError } from '../../../core/errors.ts';
import { inputOf } from '../../../lambdas/http/bind.ts';
import { anApiRequest } from '../../fixtures/api-request.ts';
import { aForm, type FormPart } from '../../fixtures/uploads/multipart.ts';

/** `POST /v1/keys` */
function operationAt(call: string): Operation {
  const found = operations.find(({ method, path }) => `${method} ${path}` === call);
  if (found === undefined) throw new Error(`no operation ${call}`);
  return found;
}

/** Every parameter of the path has a value that is right. */
function pathParametersOf({ path }: Operation): Record<string, string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, randomUUID()]));
}

type Sent = Parameters<typeof anApiRequest>[1];

/** Status and code of the refusal, and the field that its first detail names. */
async function refusalOf(call: string, sent: Sent): Promise<string> {
  const operation = operationAt(call);
  const request = anApiRequest(operation, { pathParameters: pathParametersOf(operation), ...sent });
  const error: unknown = await inputOf(operation, request).catch((thrown: unknown) => thrown);
  if (!(error instanceof CodedError)) return 'accepted';
  const { status, code, body } = error;
  const { details } = body as { details?: { path: string; message: string }[] };
  expect(details?.[0]?.message).toMatch(/\S/);
  return `${status} ${code} ${details?.[0]?.path}`;
}

const text = (body: string) => ({ body: Buffer.from(body) });
const json = (body: unknown) => text(JSON.stringify(body));
const query = (name: string, value: string) => ({ query: { [name]: value } });

const invalid = (path: string) => `400 INVALID_REQUEST ${path}`;

const notJson: [string, string][] = [
  ['no body', ''],
  ['no JSON', '{'],
  ['an array', '[]'],
  ['text', '"a"'],
  ['null', 'null'],
  ['a name twice', '{"email":"a@example.org","email":"b@example.org"}'],
  ['a name twice, spelled differently', '{"email":"a@example.org","\\u0065mail":"b@example.org"}'],
  ['300 kB', JSON.stringify({ email: 'a@example.org', more: 'x'.repeat(300_000) })],
];

describe('POST /v1/auth/otp/request', () => {
  const call = 'POST /v1/auth/otp/request';

  test.each(notJson)('refuses %s', async (_, body) => {
    expect(await refusalOf(call, text(body))).toBe(invalid('body'));
  });

  test('refuses another content type', async () => {
    const sent = { ...json({ email: 'a@example.org' }), headers: { 'content-type': 'text/plain' } };
    expect(await refusalOf(call, sent)).toBe(invalid('body'));
  });

  test.each([
    ['no e-mail', '{}', 'email'],
    ['a number for an e-mail', '{"email":1}', 'email'],
    ['a malformed e-mail', '{"email":"nobody"}', 'email'],
    ['an overlong e-mail', `{"email":"${'a'.repeat(250)}@example.org"}`, 'email'],
    ['a text for resend', '{"email":"a@example.org","resend":"yes"}', 'resend'],
    ['a prototype', '{"__proto__":{"email":"a@example.org"}}', 'email'],
  ])('refuses %s', async (_, body, path) => {
    expect(await refusalOf(call, text(body))).toBe(invalid(path));
  });
});

test.each(['12345', '1234567', 'abcdef', '12 456', '１２３４５６', ''])(
  'POST /v1/auth/otp/verify refuses the code "%s"',
  async (code) => {
    const sent = json({ email: 'a@example.org', code });
    expect(await refusalOf('POST /v1/auth/otp/verify', sent)).toBe(invalid('code'));
  },
);

test.each([
  ['no code', { email: 'a@example.org' }, 'code'],
  ['five digits', { email: 'a@example.org', code: '12345' }, 'code'],
  ['a malformed address', { email: 'a', code: '123456' }, 'email'],
])('POST /v1/session refuses %s', async (_, body, path) => {
  expect(await refusalOf('POST /v1/session', json(body))).toBe(invalid(path));
});

describe('POST /v1/keys', () => {
  const call = 'POST /v1/keys';

  test.each([[''], ['   '], ['x'.repeat(101)], [7], [null], [undefined]])(
    'refuses a name of %j',
    async (name) => {
      expect(await refusalOf(call, json({ name }))).toBe(invalid('name'));
    },
  );

  test.each([[[]], [['projects:delete']], [['projects:read', 'projects:read']], ['projects:read']])(
    'refuses permissions of %j',
    async (permissions) => {
      const refusal = await refusalOf(call, json({ name: 'CI', permissions }));
      expect(refusal).toMatch(/^400 INVALID_REQUEST permissions/);
    },
  );

  test('names an unknown field', async () => {
    expect(await refusalOf(call, json({ name: 'CI', scopes: [] }))).toBe(invalid('scopes'));
  });
});

test.each([
  ['an unknown field', json({ titel: 'x' }), 'titel'],
  ['an empty title', json({ title: ' ' }), 'title'],
  ['a title that is too long', json({ title: 'x'.repeat(256) }), 'title'],
  ['what is no id', json({ projectId: 'mine' }), 'projectId'],
  ['no JSON', text('title'), 'body'],
])('POST /v1/upload-links refuses %s', async (_, sent, path) => {
  expect(await refusalOf('POST /v1/upload-links', sent)).toBe(invalid(path));
});

describe('POST /v1/projects', () => {
  const parts = (fields: Record<string, string | undefined>): FormPart[] => [
    ...Object.entries({ title: 'A', ...fields }).flatMap(([name, body]) =>
      body === undefined ? [] : [{ name, body }],
    ),
    { name: 'files', filename: 'a.txt', body: 'a' },
  ];
  const form = (fields: Record<string, string | undefined>) => {
    const { body, contentType } = aForm(parts(fields));
    return { body, headers: { 'content-type': contentType } };
  };

  test.each([
    ['no title', { title: undefined }, 'title'],
    ['an empty title', { title: '' }, 'title'],
    ['a blank title', { title: '  ' }, 'title'],
    ['256 characters of title', { title: 'x'.repeat(256) }, 'title'],
    ['capitals in the slug', { slug: 'Shop' }, 'slug'],
    ['a slug with a space', { slug: 'Not A Slug' }, 'slug'],
    ['a slug with a dot', { slug: 'a.b' }, 'slug'],
    ['a slug with a hyphen first', { slug: '-a' }, 'slug'],
    ['a slug of 64', { slug: 'a'.repeat(64) }, 'slug'],
    ['an empty slug', { slug: '' }, 'slug'],
    ['an unknown access', { access: 'friends' }, 'access'],
    ['access password without one', { access: 'password' }, 'password'],
    ['an empty password', { access: 'password', password: '' }, 'password'],
    ['256 characters of password', { access: 'password', password: 'x'.repeat(256) }, 'password'],
    ['an unknown expiresIn', { expiresIn: '2h' }, 'expiresIn'],
    ['expiresIn none', { expiresIn: 'none' }, 'expiresIn'],
    ['a domainId that is no UUID', { domainId: 'mine' }, 'domainId'],
    ['a workspaceId that is no UUID', { workspaceId: '7' }, 'workspaceId'],
    ['no boolean', { asFileBundle: 'maybe' }, 'asFileBundle'],
  ])('refuses %s', async (_, fields, path) => {
    expect(await refusalOf('POST /v1/projects', form(fields))).toBe(invalid(path));
  });

  test('takes the form without them', async () => {
    expect(await refusalOf('POST /v1/projects', form({}))).toBe('accepted');
  });

  test('of a temporary project refuses what is no boolean', async () => {
    const sent = form({ title: undefined, asFileBundle: 'maybe' });
    expect(await refusalOf('POST /v1/projects/temp', sent)).toBe(invalid('asFileBundle'));
  });
});

test.each([
  ['limit', '0'],
  ['limit', '101'],
  ['limit', '1.5'],
  ['limit', 'many'],
  ['offset', '-1'],
  ['offset', 'x'],
  ['archived', 'maybe'],
  ['archived', '1'],
  ['archived', ''],
  ['workspaceId', 'mine'],
])('GET /v1/projects refuses %s=%s', async (name, value) => {
  expect(await refusalOf('GET /v1/projects', query(name, value))).toBe(invalid(name));
});

describe('POST /v1/projects/{projectId}/rollback', () => {
  const call = 'POST /v1/projects/{projectId}/rollback';

  test.each([[0], [-1], [1.5], ['1'], [null], [undefined]])(
    'refuses the version %p',
    async (version) => {
      expect(await refusalOf(call, json({ version }))).toBe(invalid('version'));
    },
  );

  test('refuses an expected version of 0', async () => {
    const sent = json({ version: 1, expectedVersion: 0 });
    expect(await refusalOf(call, sent)).toBe(invalid('expectedVersion'));
  });
});

test.each(['127', '2049', '12.5', 'large', ''])('GET /qr/{file} has no size %s', async (size) => {
  const sent = { ...query('size', size), pathParameters: { file: `${randomUUID()}.png` } };
  expect(await refusalOf('GET /qr/{file}', sent)).toBe(invalid('size'));
});

describe('a workspace', () => {
  const malformed: [string, Sent, string][] = [
    ['no name', json({}), 'name'],
    ['an empty name', json({ name: '' }), 'name'],
    ['spaces for a name', json({ name: ' \t ' }), 'name'],
    ['256 characters', json({ name: 'x'.repeat(256) }), 'name'],
    ['a number', json({ name: 7 }), 'name'],
    ['null', json({ name: null }), 'name'],
    ['an unknown field', json({ name: 'A', colour: 'red' }), 'colour'],
    ['the id in the body', json({ name: 'A', id: randomUUID() }), 'id'],
    ['a prototype', text('{"name":"A","__proto__":{"x":1}}'), '__proto__'],
    ['a name twice', text('{"name":"A","name":"B"}'), 'body'],
    ['no JSON', text('{"name":'), 'body'],
    ['an array', text('[]'), 'body'],
    ['nothing', text(''), 'body'],
  ];

  test.each(malformed)('is not created with %s', async (_, sent, path) => {
    expect(await refusalOf('POST /v1/workspaces', sent)).toBe(`422 VALIDATION_FAILED ${path}`);
  });

  test.each([
    ...malformed,
    ['the id of the path', json({ name: 'A', workspaceId: randomUUID() }), 'workspaceId'],
    ['the count', json({ name: 'A', projectCount: 7 }), 'projectCount'],
  ] satisfies typeof malformed)('is not renamed with %s', async (_, sent, path) => {
    const refusal = await refusalOf('PATCH /v1/workspaces/{workspaceId}', sent);
    expect(refusal).toBe(`422 VALIDATION_FAILED ${path}`);
  });
});

test.each<[string, unknown, string]>([
  ['an unknown property', { colour: 'red' }, 'colour'],
  ['an unknown property beside a known one', { title: 'A', colour: 'red' }, 'colour'],
  ['the id', { projectId: randomUUID() }, 'projectId'],
  ['a field that only the service sets', { archivedAt: null }, 'archivedAt'],
  ['a prototype', '{"__proto__":{"title":"A"}}', '__proto__'],
  ['an empty title', { title: '' }, 'title'],
  ['spaces for a title', { title: ' \t ' }, 'title'],
  ['a title of two lines', { title: 'A\nB' }, 'title'],
  ['a title that clears a terminal', { title: 'A\u001B[2J' }, 'title'],
  ['a title of 256 characters', { title: 'x'.repeat(256) }, 'title'],
  ['a title that is no text', { title: 7 }, 'title'],
  ['no title', { title: null }, 'title'],
  ['an empty slug', { slug: '' }, 'slug'],
  ['a slug with capitals', { slug: 'Slug' }, 'slug'],
  ['a slug with a dot', { slug: 'a.b' }, 'slug'],
  ['a slug that begins with a hyphen', { slug: '-a' }, 'slug'],
  ['a slug of 64 characters', { slug: 'x'.repeat(64) }, 'slug'],
  ['no slug', { slug: null }, 'slug'],
  ['a domain that is no id', { domainId: 'example.org' }, 'domainId'],
  ['a workspace that is no id', { workspaceId: 'mine' }, 'workspaceId'],
  ['another status', { status: 'archived' }, 'status'],
  ['another access', { access: 'secret' }, 'access'],
  ['a password to ask for, but none', { access: 'password' }, 'password'],
  ['a password to ask for that is null', { access: 'password', password: null }, 'password'],
  ['an empty password', { access: 'password', password: '' }, 'password'],
  ['a password of 256 characters', { password: 'x'.repeat(256) }, 'password'],
  ['a flag that is text', { noIndex: 'true' }, 'noIndex'],
  ['a flag that is a number', { disableDownloads: 1 }, 'disableDownloads'],
  ['a flag that is null', { analyticsEnabled: null }, 'analyticsEnabled'],
  ['a page title of 256 characters', { pageTitle: 'x'.repeat(256) }, 'pageTitle'],
  ['a page title of two lines', { pageTitle: 'Fair\n2026' }, 'pageTitle'],
  ['a page title with a control character', { pageTitle: 'Fair\u0007' }, 'pageTitle'],
  ['a page title that turns text around', { pageTitle: 'Fair \u202Efdp.exe' }, 'pageTitle'],
  ['a description of 1,001 characters', { metaDescription: 'x'.repeat(1001) }, 'metaDescription'],
  ['another end', { expiresIn: '30d' }, 'expiresIn'],
  ['an end that is a number', { expiresIn: 3600 }, 'expiresIn'],
  ['an end that is null', { expiresIn: null }, 'expiresIn'],
  ['a name twice', '{"title":"A","title":"B"}', 'body'],
  ['no JSON', '{"title":', 'body'],
  ['an array', '[]', 'body'],
  ['null', 'null', 'body'],
  ['nothing', '', 'body'],
])('PATCH /v1/projects/{projectId} refuses %s', async (_, body, path) => {
  const sent = typeof body === 'string' ? text(body) : json(body);
  const refusal = await refusalOf('PATCH /v1/projects/{projectId}', sent);
  expect(refusal).toBe(`422 VALIDATION_FAILED ${path}`);
});

describe('POST /v1/uploads', () => {
  const one = (path: string, size: unknown = 1) => ({ files: [{ path, size }] });

  test.each([
    ['neither files nor an archive', {}, 'files'],
    ['both', { ...one('a'), archive: { size: 1 } }, 'files'],
    ['no file', { files: [] }, 'files'],
    ['an empty archive', { archive: { size: 0 } }, 'archive.size'],
    ['a negative size', one('a', -1), 'files.0.size'],
    ['half a byte', one('a', 1.5), 'files.0.size'],
    ['a size as text', one('a', '1'), 'files.0.size'],
    ['a field nobody knows', { ...one('a'), title: 'x' }, 'title'],
    ['no name', one(''), 'files.0.path'],
  ])('refuses %s', async (_, body, path) => {
    expect(await refusalOf('POST /v1/uploads', json(body))).toBe(invalid(path));
  });
});

test.each(['0', '5001', 'x'])('GET …/hits.csv refuses limit=%s', async (limit) => {
  const call = 'GET /v1/projects/{projectId}/analytics/hits.csv';
  expect(await refusalOf(call, query('limit', limit))).toBe(invalid('limit'));
});

test.each(['0', '2001', 'x'])('GET /v1/account/export refuses limit=%s', async (limit) => {
  expect(await refusalOf('GET /v1/account/export', query('limit', limit))).toBe(invalid('limit'));
});
