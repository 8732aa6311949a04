import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { ContentStore } from '../../core/ports.ts';
import { storedCacheControl } from '../../core/visit/protocol/cache-policy.ts';
import type { ReadItem } from '../dynamodb/read-rows.ts';
import { AwsError } from './aws-error.ts';
import type { ServiceName, SignedCalls } from './signed-calls.ts';
import { boundedMemory } from '../../core/bounded-memory.ts';

const Text = z.string();
const List = z.array(z.unknown());
const Item = z.record(z.string(), z.unknown());

/** Converts an item from DynamoDB's JSON to plain values; binary values become `Uint8Array`. */
function fromAttributeValues(item: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(Item.parse(item)).map(([name, value]) => [name, plainValue(value)]),
  );
}

/** One attribute value: `{"S":"text"}`, `{"N":"7"}`, `{"B":"base64"}`, … */
function plainValue(value: unknown): unknown {
  const [[type, content] = ['none', undefined]] = Object.entries(Item.parse(value));
  switch (type) {
    case 'S':
    case 'BOOL':
      return content;
    case 'N':
      return Number(content);
    case 'NULL':
      return null;
    case 'B':
      return new Uint8Array(Buffer.from(Text.parse(content), 'base64'));
    case 'L':
      return List.parse(content).map(plainValue);
    case 'M':
      return fromAttributeValues(content);
    default:
      throw new Error(`unsupported attribute type ${type}`);
  }
}

/** An item is at most 400 KB (Amazon DynamoDB limits), a third more in base64. */
const maxJsonBytes = 1024 * 1024;
/** The gate sends files of up to 4 MiB itself; the manifest of a large site is much smaller. */
const maxObjectBytes = 16 * 1024 * 1024;

const GetItemResponse = z.object({ Item: z.optional(z.record(z.string(), z.unknown())) });
const GetSecretValueResponse = z.object({ SecretString: z.string() });

/**
 * Reads items of DynamoDB tables, strongly consistent unless told otherwise: eventually consistent
 * reads cost half, and may return a row as it was a moment ago. An unchanged item may be the same
 * object as before.
 */
export function signedItems(calls: SignedCalls, { isConsistent = true } = {}): ReadItem {
  const itemOf = unchangedAnswers((json) => {
    const { Item } = GetItemResponse.parse(json);
    return Item === undefined ? undefined : Object.freeze(fromAttributeValues(Item));
  });
  return async (table, key) => {
    const Key = Object.fromEntries(Object.entries(key).map(([name, S]) => [name, { S }]));
    const input = { TableName: table, Key, ConsistentRead: isConsistent };
    const { url } = calls.endpoint('dynamodb');
    const target = 'DynamoDB_20120810.GetItem';
    const { request, answer } = await sendJson(calls, 'dynamodb', target, { url, input });
    return itemOf(request, answer);
  };
}

/** Objects of a bucket: read whole or in ranges, and written whole. */
export function signedObjects(
  calls: SignedCalls,
  bucket: string,
): Pick<ContentStore, 'get' | 'put'> {
  return {
    async get(key, range) {
      const headers: Record<string, string> = {};
      if (range !== undefined) headers['range'] = `bytes=${range.first}-${range.last}`;
      try {
        const { body } = await calls.send({
          service: 's3',
          operation: 'GetObject',
          method: 'GET',
          url: objectUrl(calls, bucket, key),
          headers,
          maxBytes: maxObjectBytes,
        });
        if (range !== undefined && body.length !== range.last - range.first + 1) {
          throw new Error(
            `s3 GetObject: got ${body.length} bytes for ${headers['range']} of ${key}`,
          );
        }
        return body;
      } catch (error) {
        if (error instanceof AwsError && error.code === 'NoSuchKey') return undefined;
        throw error;
      }
    },
    async put({ key, bytes, contentType, contentDisposition, contentEncoding, cacheTag }) {
      await calls.send({
        service: 's3',
        operation: 'PutObject',
        method: 'PUT',
        url: objectUrl(calls, bucket, key),
        headers: {
          'content-type': contentType,
          ...(contentDisposition !== undefined && { 'content-disposition': contentDisposition }),
          ...(contentEncoding !== undefined && { 'content-encoding': contentEncoding }),
          'cache-control': storedCacheControl,
          'x-amz-meta-cache-tag': cacheTag,
        },
        body: bytes,
        maxBytes: maxJsonBytes,
      });
    },
  };
}

/** The headers with which S3 sends an object, `etag` and `last-modified` among them. */
export function signedValidators(calls: SignedCalls, bucket: string) {
  return async (key: string) => {
    const url = objectUrl(calls, bucket, key);
    const call = { service: 's3', operation: 'HeadObject', method: 'HEAD', url } as const;
    return (await calls.send({ ...call, headers: {}, maxBytes: 0 })).headers;
  };
}

/** Reads the text of a secret at one of its staging labels. */
export function signedSecrets(
  calls: SignedCalls,
): (secretArn: string, stage?: string) => Promise<string> {
  return async (secretArn, stage = 'AWSCURRENT') => {
    const { url } = calls.endpoint('secretsmanager');
    const target = 'secretsmanager.GetSecretValue';
    const input = { SecretId: secretArn, VersionStage: stage };
    const { answer } = await sendJson(calls, 'secretsmanager', target, { url, input });
    return GetSecretValueResponse.parse(answer.json).SecretString;
  };
}

/** Sends messages to a queue. A message may arrive twice, as always with SQS. */
export function signedMessages(calls: SignedCalls, queueUrl: string) {
  return async (body: string): Promise<void> => {
    const input = { QueueUrl: queueUrl, MessageBody: body };
    // Only the host of the queue's URL is used; it may differ from the endpoint in the environment.
    const url = new URL('/', queueUrl);
    await sendJson(calls, 'sqs', 'AmazonSQS.SendMessage', { url, input });
  };
}

async function sendJson(
  calls: SignedCalls,
  service: ServiceName,
  target: string,
  { url, input }: { url: URL; input: object },
): Promise<{ request: string; answer: Answer }> {
  const request = JSON.stringify(input);
  const version = service === 'secretsmanager' ? '1.1' : '1.0';
  const { body } = await calls.send({
    service,
    operation: target.slice(target.indexOf('.') + 1),
    method: 'POST',
    url,
    headers: { 'content-type': `application/x-amz-json-${version}`, 'x-amz-target': target },
    body: request,
    maxBytes: maxJsonBytes,
  });
  return { request, answer: { json: JSON.parse(body.toString()), bytes: body.length } };
}

/**
 * Uses the bucket's own host, or puts the bucket in the path if the environment overrides the
 * endpoint.
 */
function objectUrl(calls: SignedCalls, bucket: string, key: string): URL {
  const { url, isOverridden } = calls.endpoint('s3');
  const path = key.split('/').map(encodeSegment).join('/');
  if (isOverridden) return new URL(`${url.pathname.replace(/\/$/, '')}/${bucket}/${path}`, url);
  return new URL(`https://${bucket}.${url.host}/${path}`);
}

/** Encodes everything but unreserved characters, as signatures require (RFC 3986 §2.3). */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Room for some hundred serving records of at most 4 kB each. Their converted values may be ten
 * times as large.
 */
const defaultMaxBytes = 1024 * 1024;

/** Longer answers are converted each time. */
const maxAnswerBytes = 16 * 1024;

/** The bytes of an entry besides its request and its answer. */
const entryBytes = 512;

/** An answer of a service: its JSON, and its length in bytes. */
interface Answer {
  json: unknown;
  bytes: number;
}

/**
 * Converts answers, and returns the same value for the same request while its answer is the same.
 * Every answer was read from the service a moment ago, so nothing outdated is returned: only its
 * conversion is saved. Values must not be changed. The least recently used values are removed
 * first. Answers that convert to undefined are not kept, so that requests for missing addresses do
 * not displace others.
 *
 * Answers are compared as JSON, because DynamoDB does not promise an order of attributes.
 */
export function unchangedAnswers<T>(
  convert: (json: unknown) => T,
  maxBytes = defaultMaxBytes,
): (request: string, answer: Answer) => T {
  const kept = boundedMemory<{ answer: Answer; value: T }>(maxBytes);
  return (request, answer) => {
    const known = kept.get(request);
    const isSame = known !== undefined && isDeepStrictEqual(known.answer.json, answer.json);
    const value = isSame ? known.value : convert(answer.json);
    if (value === undefined || answer.bytes > maxAnswerBytes) kept.remove(request);
    else kept.add(request, { answer, value }, request.length + answer.bytes + entryBytes);
    return value;
  };
}
