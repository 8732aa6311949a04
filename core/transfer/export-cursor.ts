import { createHash } from 'node:crypto';
import type { AccountId } from '../../contract/fields.ts';
import { CodedError } from '../errors.ts';

/** Where a page begins: at a file of a version of a project. */
export interface Place {
  /** The project's place among those of its account: `<createdAt>#<projectId>`. */
  listedAt: string;
  version: number;
  filesFrom: number;
}

const sumLength = 16;
const written = /^(?<listedAt>\S+#\S+) (?<version>\d{1,9}) (?<filesFrom>\d{1,9})$/;

/**
 * A place as callers carry it. It is no secret: with another's place nobody sees more than their
 * own projects. The checksum tells one that was changed, or is another account's, from a good one.
 */
export function writeCursor(accountId: AccountId, { listedAt, version, filesFrom }: Place): string {
  const text = `${listedAt} ${version} ${filesFrom}`;
  return Buffer.from(checksum(accountId, text) + text).toString('base64url');
}

/**
 * The opposite of {@link writeCursor}.
 * @throws CodedError INVALID_REQUEST
 */
export function readCursor(accountId: AccountId, cursor: string): Place {
  const text = Buffer.from(cursor, 'base64url').toString().slice(sumLength);
  const { listedAt = '', version, filesFrom } = written.exec(text)?.groups ?? {};
  const place = { listedAt, version: Number(version), filesFrom: Number(filesFrom) };
  // Decoding skips what is no base64url, so that the whole is compared with the one way to write it.
  if (listedAt === '' || writeCursor(accountId, place) !== cursor) throw unknown();
  return place;
}

function checksum(accountId: AccountId, text: string): string {
  return createHash('sha256').update(`${accountId} ${text}`).digest('hex').slice(0, sumLength);
}

function unknown(): CodedError {
  const message = 'is none that this account was given';
  return new CodedError('INVALID_REQUEST', {
    error: `cursor: ${message}`,
    nextStep: 'Send `next` of the page before as it came, or no `cursor` for the first page.',
    details: [{ path: 'cursor', message }],
  });
}
