import { describe, expect, test } from '@jest/globals';
import { ProjectId } from '../../../../../contract/fields.ts';
import { instant, plusSeconds } from '../../../../../core/instants.ts';
import { previewToken, readPreviewToken } from '../../../../../core/visit/access/preview.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';

const secret = fixedSecret('a secret of a test');
const projectId = ProjectId.parse('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11');
const other = ProjectId.parse('6f0c9a11-0b7e-4c1a-8f60-4c399d0e2f1a');
const expires = now.getTime() / 1000 + 3600;
const preview = { projectId, version: 7, expires };
const token = previewToken(secret, preview);

const liveSince = now.getTime();
const read = (text: string, at = now, publishedAt = instant(now)) =>
  readPreviewToken(secret, text, { projectId, publishedAt }, at);

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

  test('ends with the change of the live version that it names', () => {
    const bound = previewToken(secret, { ...preview, liveSince });
    expect(read(bound)).toEqual({ ...preview, liveSince });
    const next = plusSeconds(now, 1);
    expect(read(bound, now, instant(next))).toBeUndefined();
    const changed = bound.replace(`~${liveSince}`, `~${next.getTime()}`);
    expect(read(changed, now, instant(next))).toBeUndefined();
    expect(read(bound.replace(`~${liveSince}`, ''), now, instant(next))).toBeUndefined();
    expect(bound).toMatch(/^[0-9a-f-]{36}\.7~[1-9][0-9]{12}\.[0-9]{10}\.[A-Za-z0-9_-]{43}$/);
  });

  test.each([
    [
      'another project',
      () => readPreviewToken(secret, token, { projectId: other, publishedAt: instant(now) }, now),
    ],
    [
      'another secret',
      () =>
        readPreviewToken(
          fixedSecret('another one'),
          token,
          { projectId, publishedAt: instant(now) },
          now,
        ),
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
