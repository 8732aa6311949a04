import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../time/clock.ts';
import type { HttpResponse } from '../../http/http.ts';
import { authenticate } from '../signing/authenticate.ts';
import type { Bucket } from '../bucket.ts';
import { answerPreflight, corsHeaders } from './cors.ts';
import { assertUnderstood } from '../objects/object-metadata.ts';
import { postObject } from '../objects/post-object.ts';
import { type S3Call, type RouteContext, xmlResponse } from './route-context.ts';
import { findRoute } from './routes.ts';
import { S3Error } from './s3-error.ts';
import { parseS3Request, queryValue, type S3Request } from './s3-request.ts';

/** What every request is answered with. */
export interface S3World {
  buckets: Map<string, Bucket>;
  clock: Clock;
  region: string;
  secretFor: (accessKeyId: string) => string | undefined;
  authorize: (call: S3Call) => boolean;
  onCall: (call: S3Call) => void;
}

/** Answers one request; refusals and failures come back as S3's error documents. */
export async function answerRequest(
  world: S3World,
  incoming: IncomingMessage,
): Promise<HttpResponse> {
  const requestId = randomBytes(8).toString('hex').toUpperCase();
  const cors: Record<string, string> = {};
  let response: HttpResponse;
  try {
    const request = parseS3Request(incoming);
    const config = world.buckets.get(request.bucket)?.config ?? {};
    Object.assign(cors, corsHeaders(config, request.method, request.headers));
    response = await dispatch(world, request);
  } catch (error) {
    response = errorResponse(error, requestId, incoming.method === 'HEAD');
  }
  const date = world.clock.now().toUTCString();
  return {
    ...response,
    headers: {
      ...cors,
      ...response.headers,
      'x-amz-request-id': requestId,
      date,
      server: 'AmazonS3',
    },
  };
}

/** S3's error document; what is not one of its own refusals is logged and becomes `InternalError`. */
export function errorResponse(error: unknown, requestId: string, isHead: boolean): HttpResponse {
  if (!(error instanceof S3Error)) console.error('local S3:', error);
  const known = error instanceof S3Error ? error : new S3Error('InternalError');
  const details = Object.entries(known.details).map(([name, value]) => [name, value] as const);
  const response = xmlResponse(
    [
      'Error',
      [['Code', known.code], ['Message', known.message], ...details, ['RequestId', requestId]],
    ],
    {},
    known.status,
  );
  return isHead ? { ...response, body: Buffer.alloc(0) } : response;
}

async function dispatch(world: S3World, request: S3Request): Promise<HttpResponse> {
  if (request.method === 'OPTIONS') {
    return answerPreflight(bucketNamed(world, request.bucket).config, request.headers);
  }
  if (isForm(request)) return dispatchForm(world, request);
  const auth = authenticate(request, { ...world, now: world.clock.now() });
  if (request.bucket === '') {
    throw new S3Error('NotImplemented', undefined, { Operation: `${request.method} service` });
  }
  const route = findRoute(request, auth.headers);
  assertUnderstood(auth.headers);
  const { accessKeyId } = auth;
  const own = { bucket: request.bucket, ...(request.key !== '' && { key: request.key }) };
  const context: RouteContext = {
    request,
    auth,
    bucket: bucketNamed(world, request.bucket),
    now: () => world.clock.now(),
    bucketNamed: (name) => bucketNamed(world, name),
    permit: (action, on = own) => permit(world, { accessKeyId, action, ...on }),
    may: (action) => world.authorize({ accessKeyId, action, bucket: request.bucket }),
  };
  const prefix = route.action === 's3:ListBucket' ? queryValue(request, 'prefix') : undefined;
  if (route.action !== undefined) {
    context.permit(route.action, { ...own, ...(prefix !== undefined && { prefix }) });
  }
  return route.handle(context);
}

function isForm({ method, key, headers, query }: S3Request): boolean {
  const isFormType = /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');
  return method === 'POST' && key === '' && query.length === 0 && isFormType;
}

function dispatchForm(world: S3World, request: S3Request): Promise<HttpResponse> {
  const bucket = bucketNamed(world, request.bucket);
  return postObject(request, {
    ...world,
    bucket,
    now: () => world.clock.now(),
    permit: (accessKeyId, key) =>
      permit(world, { accessKeyId, action: 's3:PutObject', bucket: bucket.name, key }),
  });
}

function permit(world: S3World, call: S3Call): void {
  if (!world.authorize(call)) throw new S3Error('AccessDenied');
  world.onCall(call);
}

function bucketNamed({ buckets }: S3World, name: string): Bucket {
  const bucket = buckets.get(name);
  if (bucket === undefined) throw new S3Error('NoSuchBucket', undefined, { BucketName: name });
  return bucket;
}
