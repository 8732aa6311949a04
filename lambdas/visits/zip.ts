import { pipeline } from 'node:stream/promises';
import type { StreamifyHandler } from 'aws-lambda';
import { contentBucket } from '../../adapters/s3/content-bucket.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb/document-client.ts';
import { keptVersion } from '../../adapters/s3/kept-version.ts';
import { siteDirectory } from '../../adapters/dynamodb/projects/site-directory.ts';
import { answerZip, type ZipAnswer } from './answer-zip.ts';
import { broken } from './broken.ts';
import { logger } from '../shared/logger.ts';
import { deployedSecret, onceSecretsAreFresh } from '../shared/deployed-secrets.ts';
import { once } from '../shared/once.ts';
import { redactedError } from '../shared/redact-secrets.ts';
import { setting } from '../shared/settings.ts';
import { readVisitRequest, type VisitRequest } from './visit-request.ts';

const services = once(() => {
  const client = documentClient();
  const readItem = documentItems(client);
  return {
    brand: setting('BRAND'),
    sites: onceSecretsAreFresh(siteDirectory(readItem, setting('SITES_TABLE'))),
    keptVersion: keptVersion(readItem, setting('PROJECTS_TABLE')),
    accessSecret: deployedSecret('ACCESS_SECRET_ARN'),
    content: contentBucket(setting('CONTENT_BUCKET')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    manifests: new Map(),
  };
});

/** The stream of Lambda's runtime; a global of it makes heads of answers. */
type ResponseStream = Parameters<StreamifyHandler>[1];

/** `/_slipway/zip`: all files of a bundle, or of one of its folders, as a ZIP that is made on its way. */
export const handler = awslambda.streamifyResponse(async (event: unknown, stream) => {
  const request = readVisitRequest(event);
  const answer = await safely(request);
  try {
    await send(stream, request, answer);
  } catch (error) {
    // Nothing else can be said any more: the archive breaks off without its directory and opens nowhere.
    logFailure('zip broke off', request, error);
    throw redactedError(error);
  }
});

async function safely(request: VisitRequest): Promise<ZipAnswer> {
  try {
    const { bytes, ...head } = await answerZip(services(), request, new Date());
    return bytes === undefined ? head : { ...head, bytes: await begun(bytes) };
  } catch (error) {
    logFailure('zip failed', request, error);
    return broken(setting('BRAND'), request);
  }
}

/** The same bytes, the first of them read: what fails by then still gets a page that says so. */
async function begun(bytes: AsyncGenerator<Uint8Array>): Promise<AsyncGenerator<Uint8Array>> {
  const first = await bytes.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* bytes;
  })();
}

/**
 * Sends an answer. Lambda sends no head without a first byte, and may hang where none comes
 * (aws-lambda-nodejs-runtime-interface-client, issue 95): an empty answer is a line break, which
 * HTTP leaves out of the answer to a HEAD.
 */
async function send(
  stream: ResponseStream,
  { method }: VisitRequest,
  { status, headers, text, bytes }: ZipAnswer,
): Promise<void> {
  const out = awslambda.HttpResponseStream.from(stream, { statusCode: status, headers });
  const page = method === 'HEAD' ? '\n' : (text ?? '\n');
  await pipeline(bytes ?? [Buffer.from(page)], out);
}

function logFailure(message: string, { requestId }: VisitRequest, error: unknown): void {
  logger.error(message, { requestId, error: error instanceof Error ? error : String(error) });
}
