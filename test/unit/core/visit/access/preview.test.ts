import { describe, expect, test } from '@jest/globals';
import { ProjectId } from '../../../../../contract/fields.ts';
import { plusSeconds } from '../../../../../core/instants.ts';
import { previewToken, readPreviewToken } from '../../../../../core/visit/access/preview.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';

const secret = fixedSecret('a secret of a test');
const projectId = ProjectId.parse('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11');
const other = ProjectId.parse('6f0c9a11-0b7e-4c1a-8f60-4c399d0e2f1a');
const expires = now.getTime() / 1000 + 3600;
const preview = { projectId, version: 7, expires };
const token = previewToken(secret, preview);

const read = (text: string, at = now, live = 4) =>
  readPreviewToken(secret, text, { projectId, version: live }, at);

describe('a preview token', () => {
  test('contains version and expiry, readable with the secret', () => {
    expect(read(token)).toEqual(preview);
  });

  test('is valid until its last second and not longer', () => {
    expect(read(token, new Date(expires * 1000 - 1))).toEqual(preview);
    expect(read(token, new Date(expires * 1000))).toBeUndefined();
    expect(read(token, plusSeconds(now, 7200))).toBeUndefined();
  });

  test('has the form that the edge function accepts', () => {
    expect(token).toMatch(/^[0-9a-f-]{36}\.[1-9][0-9]{0,8}\.[0-9]{10}\.[A-Za-z0-9_-]{43}$/);
  });

  test('ends with the live version that it names', () => {
    const bound = previewToken(secret, { ...preview, whileLive: 4 });
    expect(read(bound)).toEqual({ ...preview, whileLive: 4 });
    expect(read(bound, now, 5)).toBeUndefined();
    expect(read(bound.replace('~4', '~5'), now, 5)).toBeUndefined();
    expect(read(bound.replace('~4', ''), now, 5)).toBeUndefined();
    expect(bound).toMatch(/^[0-9a-f-]{36}\.7~4\.[0-9]{10}\.[A-Za-z0-9_-]{43}$/);
  });

  test.each([
    [
      'another project',
      () => readPreviewToken(secret, token, { projectId: other, version: 4 }, now),
    ],
    [
      'another secret',
      () => readPreviewToken(fixedSecret('another one'), token, { projectId, version: 4 }, now),
    ],
    ['another version', () => read(token.replace('.7.', '.8.'))],
    ['a later end', () => read(token.replace(String(expires), String(expires + 1)))],
    ['another project named in it', () => read(token.replace(projectId, other))],
    ['a changed signature', () => read(token.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')))],
    ['its first half', () => read(token.slice(0, 40))],
    ['something after it', () => read(`${token}\n`)],
    ['a version with a zero before', () => read(token.replace('.7.', '.07.'))],
    ['nothing', () => read('')],
    ['no token', () => read('-')],
  ])('is invalid with %s', (_, attempt) => {
    expect(attempt()).toBeUndefined();
  });
});
