import { createHash } from 'node:crypto';
import type { AccountId } from '../../contract/fields.ts';
import { CodedError } from '../errors.ts';

/** The first file of a page: its project, version and index. */
export interface ExportPosition {
  /** The project's sort key among the projects of its account: `<createdAt>#<projectId>`. */
  listedAt: string;
  version: number;
  filesFrom: number;
}

const sumLength = 16;
const written = /^(?<listedAt>\S+#\S+) (?<version>\d{1,9}) (?<filesFrom>\d{1,9})$/;

/**
 * A position as text for callers. It is not secret: a cursor only ever leads to the caller's own
 * projects. The checksum detects a cursor that was changed or belongs to another account.
 */
export function writeCursor(
  accountId: AccountId,
  { listedAt, version, filesFrom }: ExportPosition,
): string {
  const text = `${listedAt} ${version} ${filesFrom}`;
  return Buffer.from(checksum(accountId, text) + text).toString('base64url');
}

/**
 * Parses the text that {@link writeCursor} returns.
 * @throws CodedError INVALID_REQUEST
 */
export function readCursor(accountId: AccountId, cursor: string): ExportPosition {
  const text = Buffer.from(cursor, 'base64url').toString().slice(sumLength);
  const { listedAt = '', version, filesFrom } = written.exec(text)?.groups ?? {};
  const position = { listedAt, version: Number(version), filesFrom: Number(filesFrom) };
  // Decoding ignores characters outside base64url, so the cursor is compared with its only valid
  // form.
  if (listedAt === '' || writeCursor(accountId, position) !== cursor) throw unknownCursor();
  return position;
}

function checksum(accountId: AccountId, text: string): string {
  return createHash('sha256').update(`${accountId} ${text}`).digest('hex').slice(0, sumLength);
}

function unknownCursor(): CodedError {
  const message = 'is not a cursor of this account';
  return new CodedError('INVALID_REQUEST', {
    error: `cursor: ${message}`,
    nextStep:
      'Send the `next` of the previous page unchanged, or omit `cursor` for the first page.',
    details: [{ path: 'cursor', message }],
  });
}
