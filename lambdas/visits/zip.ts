import { pipeline } from 'node:stream/promises';
import type { StreamifyHandler } from 'aws-lambda';
import { contentBucket } from '../../adapters/s3/content-bucket.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb/document-client.ts';
import { keptVersion } from '../../adapters/dynamodb/projects/kept-version.ts';
import { commonHeaders } from '../../contract/common-headers.ts';
import { siteDirectory } from '../../adapters/dynamodb/projects/site-directory.ts';
import { internalError } from './response-parts.ts';
import { type ZipResponse, zipResponse } from './zip-response.ts';
import { contentMemory } from '../../core/visit/content-memory.ts';
import { logger } from '../shared/logger.ts';
import { deployedRoots } from '../shared/deployed-roots.ts';
import { deployedSecret, refreshSecretsOnRead } from '../shared/deployed-secrets.ts';
import { lazy } from '../shared/lazy.ts';
import { redactedError } from '../shared/redact-secrets.ts';
import { setting } from '../shared/settings.ts';
import { readEdgeRequest, type EdgeRequest } from './edge-request.ts';

const services = lazy(() => {
  const client = documentClient();
  const readItem = documentItems(client);
  return {
    brand: setting('BRAND'),
    sites: refreshSecretsOnRead(siteDirectory(readItem, setting('SITES_TABLE'))),
    roots: deployedRoots(readItem),
    keptVersion: keptVersion(readItem, setting('PROJECTS_TABLE')),
    accessSecret: deployedSecret('ACCESS_SECRET_ARN'),
    content: contentBucket(setting('CONTENT_BUCKET')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    contents: contentMemory(),
  };
});

/** The response stream of Lambda's runtime, whose global `awslambda` wraps it. */
type ResponseStream = Parameters<StreamifyHandler>[1];

/** `/_slipway/zip`: all files of a bundle, or of one of its folders, as a ZIP that is written while it is sent. */
export const handler = awslambda.streamifyResponse(async (event: unknown, stream) => {
  const request = readEdgeRequest(event);
  const response = await respond(request);
  try {
    await send(stream, request, response);
  } catch (error) {
    // The status is sent already. A ZIP ends with its directory, so that no program opens half of one.
    logFailure('zip broke off', request, error);
    throw redactedError(error);
  }
});

async function respond(request: EdgeRequest): Promise<ZipResponse> {
  try {
    const { bytes, ...head } = await zipResponse(services(), request, new Date());
    return bytes === undefined ? head : { ...head, bytes: await withFirstRead(bytes) };
  } catch (error) {
    logFailure('zip failed', request, error);
    return internalError(setting('BRAND'), request);
  }
}

/** The same bytes, the first of them read: a failure before them can still be answered with a page. */
async function withFirstRead(
  bytes: AsyncGenerator<Uint8Array>,
): Promise<AsyncGenerator<Uint8Array>> {
  const first = await bytes.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* bytes;
  })();
}

/**
 * Sends a response. Lambda sends no headers before the first byte of a body, and may hang without one
 * (aws-lambda-nodejs-runtime-interface-client, issue 95): an empty body is sent as a line break,
 * which HTTP leaves out of the response to a HEAD.
 */
async function send(
  stream: ResponseStream,
  { method }: EdgeRequest,
  { status, headers, text, bytes }: ZipResponse,
): Promise<void> {
  const head = { statusCode: status, headers: { ...commonHeaders, ...headers } };
  const out = awslambda.HttpResponseStream.from(stream, head);
  const page = method === 'HEAD' ? '\n' : (text ?? '\n');
  await pipeline(bytes ?? [Buffer.from(page)], out);
}

function logFailure(message: string, { requestId }: EdgeRequest, error: unknown): void {
  logger.error(message, { requestId, error: error instanceof Error ? error : String(error) });
}
