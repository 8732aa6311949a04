import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { ObjectRecord } from '../objects/object-metadata.ts';
import { S3Error } from '../protocol/s3-error.ts';

/** The id of the version that was written before the bucket had versions. */
export const NULL_VERSION = 'null';

/** Says that a key was deleted; the versions before it stay. */
export const DeleteMarker = z.strictObject({
  key: z.string(),
  isDeleteMarker: z.literal(true),
  lastModified: z.string(),
  versionId: z.string(),
});
export type DeleteMarker = z.infer<typeof DeleteMarker>;

/** One version of a key. */
export const StoredVersion = z.union([DeleteMarker, ObjectRecord]);
export type StoredVersion = z.infer<typeof StoredVersion>;

export function isDeleteMarker(version: StoredVersion): version is DeleteMarker {
  return 'isDeleteMarker' in version;
}

const SEQUENCE_DIGITS = 11;
const VERSION_ID = /^(?:null|[0-9a-z]{11}[0-9a-f]{21})$/;

/** A new id. Ids of one bucket sort by the order in which they were made. */
export function newVersionId(sequence: number): string {
  const random = randomBytes(11).toString('hex').slice(1);
  return `${sequence.toString(36).padStart(SEQUENCE_DIGITS, '0')}${random}`;
}

/** The number that an id was made with; zero for the version from before there were ids. */
export function sequenceOf(versionId: string): number {
  if (versionId === NULL_VERSION) return 0;
  return Number.parseInt(versionId.slice(0, SEQUENCE_DIGITS), 36);
}

/** The version that a request names; `InvalidArgument` unless it has the form of an id. */
export function parseVersionId(text: string): string {
  if (VERSION_ID.test(text)) return text;
  throw new S3Error('InvalidArgument', 'Invalid version id specified', {
    ArgumentName: 'versionId',
    ArgumentValue: text,
  });
}
