import { completeUpload } from '../multipart/complete-upload.ts';
import { copyObject } from '../objects/copy-object.ts';
import { deleteObject, deleteObjects } from '../objects/delete-objects.ts';
import { getObject, headObject, RESPONSE_PARAMETERS } from '../objects/get-object.ts';
import { listObjects } from '../objects/list-objects.ts';
import { listParts, listUploads } from '../multipart/list-uploads.ts';
import { abortUpload, createUpload, uploadPart } from '../multipart/multipart-upload.ts';
import { putObject } from '../objects/put-object.ts';
import { emptyResponse, type RouteHandler, xmlResponse } from './route-context.ts';
import { S3Error } from './s3-error.ts';
import { queryValue, type S3Request } from './s3-request.ts';

/** One operation: how it is recognised, the IAM action it needs, and what it does. */
export interface Route {
  method: string;
  on: 'bucket' | 'object';
  /** Query parameters that must all be there. */
  marks: readonly string[];
  /** Query parameters that may be there; any other one makes it another operation. */
  accepts: readonly string[];
  /** A header that must be there. */
  header?: string;
  /** Absent when the handler asks for each key itself. */
  action?: string;
  handle: RouteHandler;
}

const LISTING = [
  'prefix',
  'delimiter',
  'max-keys',
  'continuation-token',
  'start-after',
  'encoding-type',
];
const UPLOAD_LISTING = ['prefix', 'max-uploads', 'key-marker', 'upload-id-marker', 'encoding-type'];

const ROUTES: readonly Route[] = [
  bucketRoute('HEAD', [], 's3:ListBucket', async () =>
    emptyResponse(200, { 'x-amz-bucket-region': 'us-east-1' }),
  ),
  bucketRoute('GET', ['location'], 's3:GetBucketLocation', async () =>
    xmlResponse(['LocationConstraint', '']),
  ),
  { ...bucketRoute('GET', ['list-type'], 's3:ListBucket', listObjects), accepts: LISTING },
  {
    ...bucketRoute('GET', ['uploads'], 's3:ListBucketMultipartUploads', listUploads),
    accepts: UPLOAD_LISTING,
  },
  { method: 'POST', on: 'bucket', marks: ['delete'], accepts: [], handle: deleteObjects },
  { ...objectRoute('GET', [], 's3:GetObject', getObject), accepts: RESPONSE_PARAMETERS },
  { ...objectRoute('HEAD', [], 's3:GetObject', headObject), accepts: RESPONSE_PARAMETERS },
  { ...objectRoute('PUT', [], 's3:PutObject', copyObject), header: 'x-amz-copy-source' },
  objectRoute('PUT', [], 's3:PutObject', putObject),
  objectRoute('DELETE', [], 's3:DeleteObject', deleteObject),
  objectRoute('POST', ['uploads'], 's3:PutObject', createUpload),
  objectRoute('PUT', ['partNumber', 'uploadId'], 's3:PutObject', uploadPart),
  objectRoute('POST', ['uploadId'], 's3:PutObject', completeUpload),
  objectRoute('DELETE', ['uploadId'], 's3:AbortMultipartUpload', abortUpload),
  {
    ...objectRoute('GET', ['uploadId'], 's3:ListMultipartUploadParts', listParts),
    accepts: ['max-parts', 'part-number-marker'],
  },
];

/** The operation that a request asks for, or `NotImplemented`. */
export function findRoute(request: S3Request, headers: Record<string, string>): Route {
  const on = request.key === '' ? 'bucket' : 'object';
  const names = request.query.map(([name]) => name).filter((name) => !isCommon(name));
  const route = ROUTES.find(
    (candidate) =>
      candidate.method === request.method &&
      candidate.on === on &&
      candidate.marks.every((mark) => names.includes(mark)) &&
      names.every((name) => candidate.marks.includes(name) || candidate.accepts.includes(name)) &&
      (candidate.header === undefined || headers[candidate.header] !== undefined),
  );
  const isOldListing = on === 'bucket' && (queryValue(request, 'list-type') ?? '2') !== '2';
  const isPartCopy = route?.handle === uploadPart && headers['x-amz-copy-source'] !== undefined;
  if (route !== undefined && !isOldListing && !isPartCopy) return route;
  throw new S3Error('NotImplemented', undefined, {
    Operation: `${request.method} ${on} ${names.join(' ')}`.trim(),
  });
}

/** Signature parameters, and the operation's name that the SDK adds. */
function isCommon(name: string): boolean {
  return name === 'x-id' || name.toLowerCase().startsWith('x-amz-');
}

function bucketRoute(method: string, marks: string[], action: string, handle: RouteHandler): Route {
  return { method, on: 'bucket', marks, accepts: [], action, handle };
}

function objectRoute(method: string, marks: string[], action: string, handle: RouteHandler): Route {
  return { method, on: 'object', marks, accepts: [], action, handle };
}
