import type { HttpResponse } from '../../http/http.ts';
import { crc32Headers } from '../bodies/checksums.ts';
import { incomingBody, receiveBody } from '../bodies/receive-body.ts';
import { emptyResponse, type RouteContext } from '../protocol/route-context.ts';
import { type NewObject, readMetadata, versionHeader } from './object-metadata.ts';

/** PutObject: streams the body into a new version of the object, which is published in one step. */
export async function putObject({
  request,
  auth,
  bucket,
  now,
}: RouteContext): Promise<HttpResponse> {
  const metadata = readMetadata(auth.headers);
  const body = incomingBody(request.body, auth);
  const record = await bucket.withDraft(async (draft) => {
    const received = await receiveBody(body, draft.write);
    const object: NewObject = {
      ...metadata,
      key: request.key,
      size: received.size,
      etag: received.md5,
      lastModified: now().toISOString(),
      crc32: received.crc32,
    };
    return bucket.put(draft, object, auth.headers['if-match']);
  });
  return emptyResponse(200, {
    etag: `"${record.etag}"`,
    ...crc32Headers(record.crc32),
    'x-amz-server-side-encryption': 'AES256',
    ...versionHeader(record),
  });
}
