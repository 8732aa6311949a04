import { describe, expect, test } from '@jest/globals';
import { ProjectId } from '../../../../../contract/fields.ts';
import {
  type AccessTokenContent,
  accessToken,
  viewerRoleOf,
  ownerStampOf,
  passwordStampOf,
  readAccessToken,
} from '../../../../../core/visit/access/access-token.ts';
import { previewToken } from '../../../../../core/visit/access/preview.ts';
import { aSite, now } from '../../../../fixtures/visits/a-site.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';

const secret = fixedSecret('a secret of a test');
const { projectId } = aSite();
const expires = now.getTime() / 1000 + 60;
const stamp = passwordStampOf('scrypt$1');
const owner: AccessTokenContent = {
  projectId,
  role: 'owner',
  stamp: ownerStampOf(aSite()),
  expires,
};
const guest: AccessTokenContent = { projectId, role: 'guest', stamp, expires };
const edgeShape = /^[0-9a-f-]{36}\.[vo]\.[A-Za-z0-9_-]{1,16}\.[0-9]{10}\.[A-Za-z0-9_-]{43}$/;

test.each([owner, guest])(
  'a token of ours says what it was made of, and passes the edge',
  (access) => {
    const token = accessToken(secret, access);
    expect(readAccessToken(secret, token, projectId, now)).toEqual(access);
    expect(token).toMatch(edgeShape);
  },
);

test.each<[string, (token: string) => string]>([
  ['another end', (token) => token.replace(String(expires), String(expires + 1))],
  ['another role', (token) => token.replace('.v.', '.o.')],
  ['another stamp', (token) => token.replace(stamp, passwordStampOf('scrypt$2'))],
  ['no signature', (token) => token.replace(/[^.]+$/, '')],
  ['a signature cut short', (token) => token.slice(0, -1)],
  ['something after it', (token) => `${token}x`],
  ['nothing', () => ''],
  ['none', () => '-'],
])('a token with %s is none', (_, change) => {
  const token = change(accessToken(secret, guest));
  expect(readAccessToken(secret, token, projectId, now)).toBeUndefined();
});

test('a token is for its project, its secret and its time', () => {
  const token = accessToken(secret, owner);
  const other = ProjectId.parse('1b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11');
  expect(readAccessToken(secret, token, other, now)).toBeUndefined();
  expect(readAccessToken(fixedSecret('another secret'), token, projectId, now)).toBeUndefined();
  const end = new Date(expires * 1000);
  expect(readAccessToken(secret, token, projectId, new Date(end.getTime() - 1))).toBeDefined();
  expect(readAccessToken(secret, token, projectId, end)).toBeUndefined();
});

test('a preview token is no access token, though one secret signs both', () => {
  const token = previewToken(secret, { projectId, version: 1, expires });
  expect(readAccessToken(secret, token, projectId, now)).toBeUndefined();
});

describe('who is who', () => {
  const site = aSite({ access: 'password', passwordStamp: stamp });
  test.each<[string, AccessTokenContent, string]>([
    ['an owner', owner, 'owner'],
    ['whoever entered with the password', guest, 'guest'],
    ['whoever entered with an older one', { ...guest, stamp: passwordStampOf('old') }, 'stranger'],
    [
      'an owner of an older revision',
      { ...owner, stamp: ownerStampOf({ ...site, ownerRevision: 1 }) },
      'stranger',
    ],
    ['a former owner', { ...owner, stamp: ownerStampOf({ ...site, ownerId: null }) }, 'stranger'],
    ['an owner whose cookie is older than revisions', { ...owner, stamp: '-' }, 'stranger'],
  ])('%s', (_, access, expected) => {
    expect(viewerRoleOf(secret, accessToken(secret, access), site, now)).toBe(expected);
  });

  test('a password that was cleared lets nobody in any more', () => {
    const cleared = aSite({ access: 'password', passwordStamp: null });
    expect(viewerRoleOf(secret, accessToken(secret, guest), cleared, now)).toBe('stranger');
    const forged = { ...guest, stamp: 'null' };
    expect(viewerRoleOf(secret, accessToken(secret, forged), cleared, now)).toBe('stranger');
  });
});
