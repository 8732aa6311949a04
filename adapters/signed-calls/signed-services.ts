import * as z from 'zod';
import type { ContentStore } from '../../core/ports.ts';
import { plainItem } from './attribute-values.ts';
import type { ReadItem } from '../dynamodb/read-item.ts';
import { AwsRefusal, type ServiceName, type SignedCalls } from './signed-calls.ts';

/** An item has at most 400 KB (Amazon DynamoDB limits), a third more in base64. */
const maxJsonBytes = 1024 * 1024;
/** Files of up to 4 MiB are answered inline; a large site's manifest is far smaller. */
const maxObjectBytes = 16 * 1024 * 1024;

const GetItemAnswer = z.object({ Item: z.record(z.string(), z.unknown()).optional() });
const GetSecretValueAnswer = z.object({ SecretString: z.string() });

/** Rows of DynamoDB tables. */
export function signedItems(calls: SignedCalls): ReadItem {
  return async (table, key) => {
    const Key = Object.fromEntries(Object.entries(key).map(([name, S]) => [name, { S }]));
    const input = { TableName: table, Key, ConsistentRead: true };
    const { url } = calls.endpoint('dynamodb');
    const answer = await sendJson(calls, 'dynamodb', 'DynamoDB_20120810.GetItem', { url, input });
    const { Item } = GetItemAnswer.parse(answer);
    return Item === undefined ? undefined : plainItem(Item);
  };
}

/** The objects of a bucket, each read whole into memory. */
export function signedObjects(calls: SignedCalls, bucket: string): Pick<ContentStore, 'get'> {
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
            `s3 GetObject: ${body.length} bytes came for ${headers['range']} of ${key}`,
          );
        }
        return body;
      } catch (error) {
        if (error instanceof AwsRefusal && error.code === 'NoSuchKey') return undefined;
        throw error;
      }
    },
  };
}

/** The text of a secret, at one of its staging labels. */
export function signedSecrets(
  calls: SignedCalls,
): (secretArn: string, stage?: string) => Promise<string> {
  return async (secretArn, stage = 'AWSCURRENT') => {
    const { url } = calls.endpoint('secretsmanager');
    const target = 'secretsmanager.GetSecretValue';
    const input = { SecretId: secretArn, VersionStage: stage };
    const answer = await sendJson(calls, 'secretsmanager', target, { url, input });
    return GetSecretValueAnswer.parse(answer).SecretString;
  };
}

/** Sends messages to a queue. One may arrive twice, as SQS allows itself. */
export function signedMessages(calls: SignedCalls, queueUrl: string) {
  return async (body: string): Promise<void> => {
    const input = { QueueUrl: queueUrl, MessageBody: body };
    // The queue's own URL tells the host, whatever the environment says of SQS.
    const url = new URL('/', queueUrl);
    await sendJson(calls, 'sqs', 'AmazonSQS.SendMessage', { url, input });
  };
}

async function sendJson(
  calls: SignedCalls,
  service: ServiceName,
  target: string,
  { url, input }: { url: URL; input: object },
): Promise<unknown> {
  const version = service === 'secretsmanager' ? '1.1' : '1.0';
  const { body } = await calls.send({
    service,
    operation: target.slice(target.indexOf('.') + 1),
    method: 'POST',
    url,
    headers: { 'content-type': `application/x-amz-json-${version}`, 'x-amz-target': target },
    body: JSON.stringify(input),
    maxBytes: maxJsonBytes,
  });
  return JSON.parse(body.toString());
}

/** Below the bucket's own host; below its name where the environment names another S3. */
function objectUrl(calls: SignedCalls, bucket: string, key: string): URL {
  const { url, isOwn } = calls.endpoint('s3');
  const path = key.split('/').map(encodeSegment).join('/');
  if (isOwn) return new URL(`/${bucket}/${path}`, url);
  return new URL(`https://${bucket}.${url.host}/${path}`);
}

/** All but unreserved characters, as signatures have it (RFC 3986 §2.3). */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
