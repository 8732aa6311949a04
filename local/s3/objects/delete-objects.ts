import type { HttpResponse } from '../../http/http.ts';
import { incomingBody, receiveSmallBody } from '../bodies/receive-body.ts';
import { emptyResponse, type RouteContext, xmlResponse } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import { assertKey } from '../protocol/s3-request.ts';
import { childText, parseXml, type XmlNode } from '../protocol/xml.ts';

const MAX_KEYS = 1000;
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** DeleteObject; also succeeds for a missing key. */
export async function deleteObject({ bucket, request, auth }: RouteContext): Promise<HttpResponse> {
  if (auth.headers['if-match'] !== undefined) {
    throw new S3Error('NotImplemented', undefined, { Header: 'If-Match' });
  }
  bucket.remove(request.key);
  return emptyResponse(204);
}

/** DeleteObjects: up to 1000 keys; permissions are checked for each key. */
export async function deleteObjects(context: RouteContext): Promise<HttpResponse> {
  const body = incomingBody(context.request.body, context.auth);
  if (body.md5 === undefined && body.checksum === undefined) {
    throw new S3Error(
      'InvalidRequest',
      'Missing required header for this request: Content-MD5 OR x-amz-checksum-*',
    );
  }
  const { keys, isQuiet } = parseDelete(await receiveSmallBody(body, MAX_BODY_BYTES));
  const results = keys.map((key) => deleteOne(context, key, isQuiet));
  return xmlResponse(['DeleteResult', results.filter((node) => node !== undefined)]);
}

function parseDelete(bytes: Buffer): { keys: string[]; isQuiet: boolean } {
  const root = parseXml(bytes);
  const objects = root.children.filter(({ name }) => name === 'Object');
  if (root.name !== 'Delete' || objects.length === 0 || objects.length > MAX_KEYS) {
    throw new S3Error('MalformedXML');
  }
  const keys = objects.map((object) => {
    const key = childText(object, 'Key');
    if (key === undefined || key === '') throw new S3Error('MalformedXML');
    if (object.children.length > 1) {
      throw new S3Error('NotImplemented', 'Only keys can be given, no versions or conditions.');
    }
    return key;
  });
  return { keys, isQuiet: childText(root, 'Quiet') === 'true' };
}

function deleteOne(context: RouteContext, key: string, isQuiet: boolean): XmlNode | undefined {
  try {
    assertKey(key);
    context.requirePermission('s3:DeleteObject', { bucket: context.bucket.name, key });
    context.bucket.remove(key);
    return isQuiet ? undefined : ['Deleted', [['Key', key]]];
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    return [
      'Error',
      [
        ['Key', key],
        ['Code', error.code],
        ['Message', error.message],
      ],
    ];
  }
}
