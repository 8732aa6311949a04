import { completeUpload } from '../multipart/complete-upload.ts';
import { copyObject } from '../objects/copy-object.ts';
import { deleteObject, deleteObjects } from '../objects/delete-objects.ts';
import { getObject, headObject, RESPONSE_PARAMETERS } from '../objects/get-object.ts';
import { listObjects } from '../objects/list-objects.ts';
import { listVersions } from '../versions/list-versions.ts';
import { listParts, listUploads } from '../multipart/list-uploads.ts';
import { abortUpload, createUpload, uploadPart } from '../multipart/multipart-upload.ts';
import { putObject } from '../objects/put-object.ts';
import { emptyResponse, type RouteHandler, xmlResponse } from './route-context.ts';
import { S3Error } from './s3-error.ts';
import { queryValue, type S3Request } from './s3-request.ts';

/** One operation: how requests are matched, the IAM action, and the handler. */
export interface Route {
  method: string;
  target: 'bucket' | 'object';
  /** Query parameters that must be present. */
  requiredParameters: readonly string[];
  /** Query parameters that may be present; any other one means another operation. */
  optionalParameters: readonly string[];
  /** A header that must be present. */
  header?: string;
  /** Absent if the handler itself checks each key, or one action for an object and another for a version. */
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

const VERSION_LISTING = ['prefix', 'max-keys', 'key-marker', 'version-id-marker', 'encoding-type'];

const ROUTES: readonly Route[] = [
  bucketRoute('HEAD', [], 's3:ListBucket', async () =>
    emptyResponse(200, { 'x-amz-bucket-region': 'us-east-1' }),
  ),
  bucketRoute('GET', ['location'], 's3:GetBucketLocation', async () =>
    xmlResponse(['LocationConstraint', '']),
  ),
  {
    ...bucketRoute('GET', ['list-type'], 's3:ListBucket', listObjects),
    optionalParameters: LISTING,
  },
  {
    ...bucketRoute('GET', ['uploads'], 's3:ListBucketMultipartUploads', listUploads),
    optionalParameters: UPLOAD_LISTING,
  },
  {
    ...bucketRoute('GET', ['versions'], 's3:ListBucketVersions', listVersions),
    optionalParameters: VERSION_LISTING,
  },
  {
    method: 'POST',
    target: 'bucket',
    requiredParameters: ['delete'],
    optionalParameters: [],
    handle: deleteObjects,
  },
  versionedRoute('GET', RESPONSE_PARAMETERS, getObject),
  versionedRoute('HEAD', RESPONSE_PARAMETERS, headObject),
  { ...objectRoute('PUT', [], 's3:PutObject', copyObject), header: 'x-amz-copy-source' },
  objectRoute('PUT', [], 's3:PutObject', putObject),
  versionedRoute('DELETE', [], deleteObject),
  objectRoute('POST', ['uploads'], 's3:PutObject', createUpload),
  objectRoute('PUT', ['partNumber', 'uploadId'], 's3:PutObject', uploadPart),
  objectRoute('POST', ['uploadId'], 's3:PutObject', completeUpload),
  objectRoute('DELETE', ['uploadId'], 's3:AbortMultipartUpload', abortUpload),
  {
    ...objectRoute('GET', ['uploadId'], 's3:ListMultipartUploadParts', listParts),
    optionalParameters: ['max-parts', 'part-number-marker'],
  },
];

/** Finds the operation of a request, or throws `NotImplemented`. */
export function findRoute(request: S3Request, headers: Record<string, string>): Route {
  const target = request.key === '' ? 'bucket' : 'object';
  const names = request.query.map(([name]) => name).filter((name) => !isCommon(name));
  const route = ROUTES.find(
    (candidate) =>
      candidate.method === request.method &&
      candidate.target === target &&
      candidate.requiredParameters.every((name_) => names.includes(name_)) &&
      names.every(
        (name) =>
          candidate.requiredParameters.includes(name) ||
          candidate.optionalParameters.includes(name),
      ) &&
      (candidate.header === undefined || headers[candidate.header] !== undefined),
  );
  const isOldListing = target === 'bucket' && (queryValue(request, 'list-type') ?? '2') !== '2';
  const isPartCopy = route?.handle === uploadPart && headers['x-amz-copy-source'] !== undefined;
  if (route !== undefined && !isOldListing && !isPartCopy) return route;
  throw new S3Error('NotImplemented', undefined, {
    Operation: `${request.method} ${target} ${names.join(' ')}`.trim(),
  });
}

/** Signature parameters, and the operation's name that the SDK adds. */
function isCommon(name: string): boolean {
  return name === 'x-id' || name.toLowerCase().startsWith('x-amz-');
}

function bucketRoute(
  method: string,
  requiredParameters: string[],
  action: string,
  handle: RouteHandler,
): Route {
  return { method, target: 'bucket', requiredParameters, optionalParameters: [], action, handle };
}

function objectRoute(
  method: string,
  requiredParameters: string[],
  action: string,
  handle: RouteHandler,
): Route {
  return { method, target: 'object', requiredParameters, optionalParameters: [], action, handle };
}

/** The handler checks the permission, which is another one for a version. */
function versionedRoute(
  method: string,
  parameters: readonly string[],
  handle: RouteHandler,
): Route {
  const optionalParameters = [...parameters, 'versionId'];
  return { method, target: 'object', requiredParameters: [], optionalParameters, handle };
}
