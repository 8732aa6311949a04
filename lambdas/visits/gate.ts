import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { keptVersion } from '../../adapters/s3/kept-version.ts';
import { mediaLinks } from '../../adapters/cloudfront/media-links.ts';
import { signedCalls } from '../../adapters/signed-calls/signed-calls.ts';
import {
  signedItems,
  signedObjects,
  signedSecrets,
} from '../../adapters/signed-calls/signed-services.ts';
import { siteDirectory } from '../../adapters/dynamodb/projects/site-directory.ts';
import type { Hit } from '../../core/analytics/hit.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { cacheControlAfter } from '../../core/visit/protocol/cache-policy.ts';
import { visitSite } from '../../core/visit/visit-site.ts';
import { notFoundPage } from '../../web/pages/visitor/not-found-page.ts';
import { answerVisit } from './answer-visit.ts';
import { broken } from './broken.ts';
import { deployedHitQueue } from '../shared/deployed-hit-queue.ts';
import { encodeBody } from './encode-body.ts';
import { logger } from '../shared/logger.ts';
import { deployedSecret, onceSecretsAreFresh } from '../shared/deployed-secrets.ts';
import { once } from '../shared/once.ts';
import { sendEdited } from './send-edited.ts';
import { awsEnvironment, setting } from '../shared/settings.ts';
import { pagesBuild, viewerAssets } from './viewer-asset-names.ts';
import { refusal, type VisitAnswer } from './visit-answer.ts';
import { visitHit } from './visit-hit.ts';
import { readVisitRequest, type VisitRequest } from './visit-request.ts';

interface Response extends APIGatewayProxyStructuredResultV2 {
  headers: Record<string, string>;
}

const services = once(() => {
  const calls = signedCalls(awsEnvironment());
  const readItem = signedItems(calls);
  const key = {
    id: setting('MEDIA_KEY_ID'),
    generation: Number(setting('MEDIA_KEY_GENERATION')),
    secretArn: setting('MEDIA_KEY_SECRET'),
  };
  const urls = addresses(setting('BASE_URL'), setting('SITES_DOMAIN'));
  return {
    brand: setting('BRAND'),
    sites: onceSecretsAreFresh(siteDirectory(readItem, setting('SITES_TABLE'))),
    keptVersion: keptVersion(readItem, setting('PROJECTS_TABLE')),
    accessSecret: deployedSecret('ACCESS_SECRET_ARN'),
    content: signedObjects(calls, setting('CONTENT_BUCKET')),
    addresses: urls,
    assets: viewerAssets,
    build: pagesBuild(),
    mediaLinks: mediaLinks(key, urls, signedSecrets(calls)),
    manifests: new Map(),
    heads: { ...urls, openScriptPath: viewerAssets().open },
    hits: deployedHitQueue(),
  };
});

/** Every visitor request that the edge does not answer by itself. */
export async function handler(event: unknown): Promise<APIGatewayProxyStructuredResultV2> {
  const request = readVisitRequest(event);
  const startedAt = performance.now();
  try {
    const { hit, ...visited } = await answer(request);
    const [{ headers, ...rest }] = await Promise.all([respond(request, visited.answer), tell(hit)]);
    return { ...rest, headers: aged(headers, performance.now() - startedAt) };
  } catch (error) {
    logger.error('visit failed', {
      requestId: request.requestId,
      error: error instanceof Error ? error : String(error),
    });
    return respond(request, broken(setting('BRAND'), request));
  }
}

function aged(headers: Record<string, string>, tookMs: number): Record<string, string> {
  const { 'cache-control': cacheControl } = headers;
  if (cacheControl === undefined) return headers;
  return { ...headers, 'cache-control': cacheControlAfter(cacheControl, tookMs) };
}

async function answer(request: VisitRequest) {
  const now = new Date();
  const outcome = await visitSite(services(), request.host, request, now);
  const visited = await answerVisit(services(), request, outcome, now);
  const hit = visitHit(request, outcome, visited, { secret: services().accessSecret.current, now });
  return { answer: visited, hit };
}

/** A visit that could not be counted is no reason to show no page. */
async function tell(hit: Hit | undefined): Promise<void> {
  if (hit === undefined) return;
  await services()
    .hits.send(hit)
    .catch((error: unknown) => logger.error('a visit was not counted', { error: String(error) }));
}

async function respond(request: VisitRequest, answer: VisitAnswer): Promise<Response> {
  const { text, stored, edit, coding } = answer;
  const head = headOf(answer);
  if (request.method === 'HEAD' || (text === undefined && stored === undefined)) return head;
  if (stored === undefined && coding === undefined) return { ...head, body: text ?? '' };
  const bytes = stored
    ? await services().content.get(stored.key, stored.range)
    : Buffer.from(text ?? '');
  if (bytes === undefined) {
    const { brand } = services();
    return respond(request, refusal(404, notFoundPage({ brand, kind: 'file' })));
  }
  const sent = edit === undefined ? { answer, bytes } : await sendEdited(answer, edit, bytes);
  if (sent.bytes === undefined) return headOf(sent.answer);
  const body = await encodeBody(sent.bytes, coding);
  return { ...headOf(sent.answer), body: body.toString('base64'), isBase64Encoded: true };
}

function headOf({ status, headers }: VisitAnswer): Response {
  return { statusCode: status, headers };
}
