import { completeUpload } from '../multipart/complete-upload.ts';
import { listParts, listUploads } from '../multipart/list-uploads.ts';
import { abortUpload, createUpload, uploadPart } from '../multipart/multipart-upload.ts';
import { copyObject } from '../objects/copy-object.ts';
import { deleteObjects } from '../objects/delete-objects.ts';
import { DISPOSITION_PARAMETER, getObject, headObject } from '../objects/get-object.ts';
import { listObjects } from '../objects/list-objects.ts';
import { listVersions } from '../versions/list-versions.ts';
import { type RouteContext, type RouteHandler, emptyResponse } from './route-context.ts';
import { S3Error } from './s3-error.ts';
import { type S3Request, queryValue } from './s3-request.ts';
import type { HttpResponse } from '../../http/http.ts';
import { crc32Headers } from '../bodies/checksums.ts';
import { incomingBody, receiveBody } from '../bodies/receive-body.ts';
import { type NewObject, readMetadata, versionHeader } from '../objects/object-metadata.ts';

/** One operation: how requests are matched, the IAM action, and the handler. */
export interface Route {
  /** Method, and whether the path names an object. */
  call: `${string} ${'bucket' | 'object'}`;
  /** Query parameters, and headers of `SELECTING_HEADERS`, that must be present. */
  required?: readonly string[];
  /** Those that may be present; any other one means another operation. */
  optional?: readonly string[];
  /** Absent if the handler itself checks each key. */
  action?: string;
  handle: RouteHandler;
}

/** Headers that make another operation of a request, or a conditional one. */
const SELECTING_HEADERS = ['x-amz-copy-source', 'if-match', 'if-none-match'];

const LISTING = ['prefix', 'max-keys', 'continuation-token'];
const VERSION_LISTING = ['prefix', 'max-keys', 'key-marker', 'version-id-marker'];
const CONDITIONS = ['if-match', 'if-none-match'];
const PART = ['partNumber', 'uploadId'];

const LIST = 's3:ListBucket';
const GET = 's3:GetObject';
const PUT = 's3:PutObject';

const ROUTES: readonly Route[] = [
  route('GET bucket', LIST, listObjects, { required: ['list-type'], optional: LISTING }),
  route('GET bucket', 's3:ListBucketMultipartUploads', listUploads, {
    required: ['uploads'],
    optional: ['prefix'],
  }),
  route('GET bucket', 's3:ListBucketVersions', listVersions, {
    required: ['versions'],
    optional: VERSION_LISTING,
  }),
  { call: 'POST bucket', required: ['delete'], handle: deleteObjects },
  route('GET object', GET, getObject, { optional: [...CONDITIONS, DISPOSITION_PARAMETER] }),
  route('HEAD object', GET, headObject, { optional: CONDITIONS }),
  route('PUT object', PUT, copyObject, { required: ['x-amz-copy-source'] }),
  route('PUT object', PUT, putObject, { optional: ['if-match'] }),
  route('POST object', PUT, createUpload, { required: ['uploads'] }),
  route('PUT object', PUT, uploadPart, { required: PART }),
  route('POST object', PUT, completeUpload, { required: ['uploadId'] }),
  route('DELETE object', 's3:AbortMultipartUpload', abortUpload, { required: ['uploadId'] }),
  route('GET object', 's3:ListMultipartUploadParts', listParts, { required: ['uploadId'] }),
];

function route(
  call: Route['call'],
  action: string,
  handle: RouteHandler,
  names: Pick<Route, 'required' | 'optional'>,
): Route {
  return { call, action, handle, ...names };
}

/** Finds the operation of a request, or throws `NotImplemented`. */
export function findRoute(request: S3Request, headers: Record<string, string>): Route {
  const call = `${request.method} ${request.key === '' ? 'bucket' : 'object'}`;
  const names = [
    ...request.query.map(([name]) => name).filter((name) => !isCommon(name)),
    ...SELECTING_HEADERS.filter((name) => headers[name] !== undefined),
  ];
  const found = ROUTES.find(
    ({ call: own, required = [], optional = [] }) =>
      own === call &&
      required.every((name) => names.includes(name)) &&
      names.every((name) => required.includes(name) || optional.includes(name)),
  );
  if (found !== undefined && (queryValue(request, 'list-type') ?? '2') === '2') return found;
  throw new S3Error('NotImplemented', undefined, {
    Operation: `${call} ${names.join(' ')}`.trim(),
  });
}

/** Signature parameters, and the operation's name that the SDK adds. */
function isCommon(name: string): boolean {
  return name === 'x-id' || name.toLowerCase().startsWith('x-amz-');
}

/** PutObject: streams the body into a new version of the object, which is published in one step. */
async function putObject({ request, auth, bucket, now }: RouteContext): Promise<HttpResponse> {
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
