import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import { incomingBody, receiveSmallBody } from '../bodies/receive-body.ts';
import { type RouteContext, xmlResponse } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import { assertKey } from '../protocol/s3-request.ts';
import { optional } from './list-objects.ts';
import { childText, parseXml, type XmlNode } from '../protocol/xml.ts';
import { isDeleteMarker, parseVersionId } from '../versions/stored-version.ts';

const MAX_KEYS = 1000;
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** Deleting for ever is a permission of its own. */
function deleteAction(versionId: string | undefined): string {
  return versionId === undefined ? 's3:DeleteObject' : 's3:DeleteObjectVersion';
}

interface Deleted {
  /** The version that is gone, or the delete marker that was added. */
  versionId: string | undefined;
  /** Whether that version is a delete marker. */
  isMarker: boolean;
}

async function removeOne(
  bucket: Bucket,
  { key, versionId }: NamedVersion,
  now: Date,
): Promise<Deleted> {
  if (versionId === undefined) {
    const marker = await bucket.remove(key, now);
    return { versionId: marker?.versionId, isMarker: marker !== undefined };
  }
  const version = bucket.versionsOf(key).find((one) => one.versionId === versionId);
  if (version !== undefined) bucket.removeVersion(version);
  return { versionId, isMarker: version !== undefined && isDeleteMarker(version) };
}

interface NamedVersion {
  key: string;
  /** Without it, the key is deleted and its versions stay. */
  versionId: string | undefined;
}

/** DeleteObjects: up to 1000 keys or versions; permissions are checked for each. */
export async function deleteObjects(context: RouteContext): Promise<HttpResponse> {
  const body = incomingBody(context.request.body, context.auth);
  if (body.crc32 === undefined) {
    throw new S3Error(
      'InvalidRequest',
      'Missing required header for this request: Content-MD5 OR x-amz-checksum-*',
    );
  }
  const { objects, isQuiet } = parseDelete(await receiveSmallBody(body, MAX_BODY_BYTES));
  const results: XmlNode[] = [];
  for (const object of objects) {
    const result = await deleteListed(context, object);
    if (!isQuiet || result[0] === 'Error') results.push(result);
  }
  return xmlResponse(['DeleteResult', results]);
}

function parseDelete(bytes: Buffer): { objects: NamedVersion[]; isQuiet: boolean } {
  const root = parseXml(bytes);
  const elements = root.children.filter(({ name }) => name === 'Object');
  if (root.name !== 'Delete' || elements.length === 0 || elements.length > MAX_KEYS) {
    throw new S3Error('MalformedXML');
  }
  const objects = elements.map((element) => {
    const key = childText(element, 'Key');
    if (key === undefined || key === '') throw new S3Error('MalformedXML');
    if (element.children.some(({ name }) => name !== 'Key' && name !== 'VersionId')) {
      throw new S3Error('NotImplemented', 'Only keys and versions can be given, no conditions.');
    }
    return { key, versionId: childText(element, 'VersionId') };
  });
  return { objects, isQuiet: childText(root, 'Quiet') === 'true' };
}

async function deleteListed(context: RouteContext, object: NamedVersion): Promise<XmlNode> {
  const { bucket, now } = context;
  const { key } = object;
  const named: XmlNode[] = [['Key', key], ...optional('VersionId', object.versionId)];
  try {
    assertKey(key);
    const versionId = object.versionId === undefined ? undefined : parseVersionId(object.versionId);
    context.requirePermission(deleteAction(versionId), { bucket: bucket.name, key });
    const deleted = await removeOne(bucket, { key, versionId }, now());
    const marker: XmlNode[] = deleted.isMarker
      ? [['DeleteMarker', true], ...optional('DeleteMarkerVersionId', deleted.versionId)]
      : [];
    return ['Deleted', [...named, ...marker]];
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    return ['Error', [...named, ['Code', error.code], ['Message', error.message]]];
  }
}
