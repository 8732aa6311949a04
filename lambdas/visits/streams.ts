import { contentBucket } from '../../adapters/s3/content-bucket.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb/document-client.ts';
import { visitorReader } from '../../adapters/dynamodb/projects/people-row.ts';
import { shareLinkReader } from '../../adapters/dynamodb/projects/share-link-row.ts';
import { keptVersion, namedPreview } from '../../adapters/dynamodb/projects/version-row.ts';
import { siteDirectory } from '../../adapters/dynamodb/projects/site-directory.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { isOwnFilePath } from '../../core/visit/access/own-file-link.ts';
import { allowOrigin } from '../../core/visit/cross-origin.ts';
import { contentMemory } from '../../core/visit/content-memory.ts';
import { MissingObjectError } from '../../core/visit/zip-contents.ts';
import { logError, logger } from '../shared/logger.ts';
import { deployedRoots } from '../shared/deployed-roots.ts';
import { deployedHitQueue } from '../shared/deployed-hit-queue.ts';
import { deployedSecret, refreshSecretsOnRead } from '../shared/deployed-secrets.ts';
import { lazy } from '../shared/lazy.ts';
import { redactedError } from '../shared/redact-secrets.ts';
import { setting } from '../shared/settings.ts';
import { type EdgeRequest, readEdgeRequest } from './edge-request.ts';
import { failureResponse } from './failure-response.ts';
import { trafficStepBytes } from '../../core/analytics/traffic.ts';
import { missingFile } from './own-file-part.ts';
import { ownFileResponse } from './own-file-response.ts';
import { trafficRecorder } from './record-traffic.ts';
import { type StreamedResponse, streamResponse, withFirstRead } from './stream-response.ts';
import { zipResponse } from './zip-response.ts';
import { streamFailedMessage } from '../../contract/visits/large-file-fields.ts';

const services = lazy(() => {
  const client = documentClient();
  const readItem = documentItems(client);
  // Readable once `sites` has read a site: it refreshes the secrets at the same time.
  const accessSecret = deployedSecret('ACCESS_SECRET_ARN');
  return {
    brand: setting('BRAND'),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    sites: refreshSecretsOnRead(siteDirectory(readItem, setting('SITES_TABLE'))),
    roots: deployedRoots(readItem),
    keptVersion: keptVersion(readItem, setting('PROJECTS_TABLE')),
    namedPreview: namedPreview(readItem, setting('PROJECTS_TABLE')),
    shareLinks: { find: shareLinkReader(readItem, setting('PROJECTS_TABLE')) },
    visitors: visitorReader(readItem, setting('PROJECTS_TABLE')),
    accessSecret,
    recordTraffic: trafficRecorder(deployedHitQueue(), accessSecret),
    content: contentBucket(setting('CONTENT_BUCKET')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    contents: contentMemory(),
  };
});

/**
 * `/_slipway/zip`, all files of a bundle or of one of its folders as a ZIP that is written while it is sent;
 * and files that their owner downloads.
 */
export const handler = awslambda.streamifyResponse(async (event: unknown, stream, context) => {
  const request = readEdgeRequest(event);
  const response = await respond(request);
  let sent = 0;
  const record = () => {
    const bytes = sent;
    sent = 0;
    return services().recordTraffic(request, response.site, bytes);
  };
  const onSent = (bytes: number) => {
    sent += bytes;
    if (sent >= trafficStepBytes) void record();
  };
  try {
    const { requestId } = request;
    const remainingMs = context.getRemainingTimeInMillis();
    if (!(await streamResponse(stream, request, response, { onSent, remainingMs })))
      logger.info('a slow download was ended', { requestId });
  } catch (error) {
    // The status is sent already, so the stream just breaks off. A ZIP ends with its directory, so
    // no program opens an incomplete one.
    logError('stream broke off', error, { requestId: request.requestId });
    throw redactedError(error);
  } finally {
    await record();
  }
});

const ownHeaders = { [allowOrigin]: '*', 'access-control-expose-headers': 'retry-after' };

async function respond(request: EdgeRequest): Promise<StreamedResponse> {
  const isOwn = isOwnFilePath(request.path);
  const answer = isOwn ? ownFileResponse : zipResponse;
  try {
    const { bytes, ...head } = await answer(services(), request, new Date());
    // The web app reads them too, with the link and without its cookies.
    if (isOwn) Object.assign(head.headers, ownHeaders);
    return bytes === undefined ? head : { ...head, bytes: await withFirstRead(bytes) };
  } catch (error) {
    if (isOwn && error instanceof MissingObjectError) return missingFile(setting('BRAND'));
    logError(streamFailedMessage, error, { requestId: request.requestId });
    return failureResponse(setting('BRAND'), error, request);
  }
}
