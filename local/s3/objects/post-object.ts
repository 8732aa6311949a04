import type { HttpResponse } from '../../http/http.ts';
import type { Bucket } from '../bucket.ts';
import { declaredChecksum } from '../bodies/checksums.ts';
import { type PostForm, readForm } from '../bodies/form-data.ts';
import { assertSupportedHeaders, type ObjectRecord, readMetadata } from './object-metadata.ts';
import { checkPolicy, parsePolicy, type SizeLimits } from '../signing/post-policy.ts';
import { storeObject, writtenHeaders } from './put-object.ts';
import { emptyResponse, xmlResponse } from '../protocol/route-context.ts';
import { S3Error } from '../protocol/s3-error.ts';
import { assertKey, type S3Request } from '../protocol/s3-request.ts';
import {
  ALGORITHM,
  parseAmzDate,
  parseCredential,
  sameSignature,
  signText,
} from '../signing/sigv4.ts';
import { assertSession, type AuthContext, signingKeyOf } from '../signing/signing-key.ts';
import { encodePath } from '../signing/uri.ts';

const SIGNING_FIELDS = [
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-security-token',
  'x-amz-signature',
];

/** The context of a form upload. */
export interface PostContext extends Omit<AuthContext, 'now'> {
  bucket: Bucket;
  now: () => Date;
  requirePermission(accessKeyId: string, key: string): void;
}

/** POST Object: a browser form with a signed policy. */
export async function postObject(request: S3Request, context: PostContext): Promise<HttpResponse> {
  const { bucket, now } = context;
  const form = await readForm(request.body, request.headers['content-type'] ?? '');
  const { fields } = form;
  const key = formKey(form, bucket);
  const accessKeyId = assertSignedPolicy(fields, context);
  const limits = checkPolicy(parsePolicy(fields.get('policy') ?? ''), fields, now());
  context.requirePermission(accessKeyId, key);
  const headers = formHeaders(fields);
  const metadata = readMetadata(headers);
  const checksum = declaredChecksum(headers);
  const record = await storeObject(
    bucket,
    { key, metadata, condition: { kind: 'none' }, now },
    { pieces: limitSize(form.file, limits), trailers: new Map(), ...(checksum && { checksum }) },
  );
  return answer(request, bucket, record, fields);
}

/** The key with the file's name inserted; written back, so that the policy is checked against the final key. */
function formKey({ fields, fileName }: PostForm, bucket: Bucket): string {
  const template = fields.get('key');
  if (template === undefined || template === '') {
    throw new S3Error('InvalidArgument', "Bucket POST must contain a field named 'key'.");
  }
  if ((fields.get('bucket') ?? bucket.name) !== bucket.name) {
    throw new S3Error(
      'AccessDenied',
      'Invalid according to Policy: the form is for another bucket.',
    );
  }
  const key = template.replaceAll('${filename}', () => fileName);
  assertKey(key);
  fields.set('key', key);
  return key;
}

function assertSignedPolicy(fields: Map<string, string>, context: PostContext): string {
  const policy = fields.get('policy');
  if (policy === undefined) throw new S3Error('AccessDenied');
  const credential = parseCredential(fields.get('x-amz-credential') ?? '');
  const date = fields.get('x-amz-date') ?? '';
  const isWellFormed =
    fields.get('x-amz-algorithm') === ALGORITHM && parseAmzDate(date) !== undefined;
  if (credential === undefined || !isWellFormed || !date.startsWith(credential.day)) {
    throw new S3Error('InvalidArgument', 'The form does not carry well-formed signature fields.');
  }
  const now = context.now();
  const sessionToken = fields.get('x-amz-security-token');
  const key = signingKeyOf(credential, sessionToken, { ...context, now });
  if (!sameSignature(signText(key, policy), fields.get('x-amz-signature') ?? '')) {
    throw new S3Error('SignatureDoesNotMatch');
  }
  assertSession(sessionToken, parseAmzDate(date), now);
  return credential.accessKeyId;
}

function formHeaders(fields: Map<string, string>): Record<string, string> {
  for (const name of ['acl', 'tagging', 'redirect', 'success_action_redirect']) {
    if (fields.has(name)) throw new S3Error('NotImplemented', undefined, { Field: name });
  }
  const headers = Object.fromEntries(
    [...fields].filter(([name]) => !SIGNING_FIELDS.includes(name)),
  );
  assertSupportedHeaders(headers);
  if (headers['x-amz-tagging'] !== undefined) {
    throw new S3Error('NotImplemented', undefined, { Field: 'x-amz-tagging' });
  }
  return headers;
}

async function* limitSize(
  file: AsyncGenerator<Buffer>,
  { minBytes, maxBytes }: SizeLimits,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of file) {
    size += piece.length;
    if (size > maxBytes) {
      throw new S3Error('EntityTooLarge', undefined, { MaxSizeAllowed: String(maxBytes) });
    }
    yield piece;
  }
  if (size >= minBytes) return;
  throw new S3Error('EntityTooSmall', undefined, {
    ProposedSize: String(size),
    MinSizeAllowed: String(minBytes),
  });
}

function answer(
  request: S3Request,
  bucket: Bucket,
  record: ObjectRecord,
  fields: Map<string, string>,
): HttpResponse {
  const path = encodePath(`/${bucket.name}/${record.key}`);
  const location = `http://${request.headers.host ?? ''}${path}`;
  const headers = { ...writtenHeaders(record), location };
  const status = fields.get('success_action_status');
  if (status !== '201') return emptyResponse(status === '200' ? 200 : 204, headers);
  return xmlResponse(
    [
      'PostResponse',
      [
        ['Location', location],
        ['Bucket', bucket.name],
        ['Key', record.key],
        ['ETag', `"${record.etag}"`],
      ],
    ],
    headers,
    201,
  );
}
