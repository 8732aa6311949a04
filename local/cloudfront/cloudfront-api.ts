import { randomUUID } from 'node:crypto';
import type { Clock } from '../time/clock.ts';
import { globalArn } from '../assembly/resource-type.ts';
import { accessKeyIdOf } from '../iam/credential.ts';
import type { Iam } from '../iam/iam.ts';
import { refusal, unescapeXml, xml } from './cloudfront-xml.ts';
import {
  answerDistributionCall,
  distributionCall,
  type DistributionHeaders,
} from './distribution-calls.ts';
import {
  type ServiceAnswer,
  type ServiceRequest,
  type ServiceServer,
  startServiceServer,
} from '../http/service-server.ts';

export interface CloudFrontApiOptions {
  clock: Clock;
  iam: Iam;
  /** Forgets paths (`/a/*`) and tags (`#tag`); throws for an unknown tenant. */
  invalidate(tenantId: string, items: string[]): void;
  /** What of the distributions can be changed while they run. */
  distributions: DistributionHeaders;
  onCall(action: string): void;
}

const ACTION = 'CreateInvalidationForDistributionTenant';
const ROUTE = /^\/2020-05-31\/distribution-tenant\/([^/?]+)\/invalidation$/;

function itemsOf(body: string): string[] {
  return [...body.matchAll(/<Path>([^<]*)<\/Path>/g)].map(([, path = '']) => unescapeXml(path));
}

function invalidationCall({ method, url }: ServiceRequest) {
  const [, id] = ROUTE.exec(url) ?? [];
  if (method !== 'POST' || id === undefined) return undefined;
  return { id, action: ACTION, resource: globalArn('cloudfront', `distribution-tenant/${id}`) };
}

function handle(options: CloudFrontApiOptions, request: ServiceRequest): ServiceAnswer {
  const call = distributionCall(request) ?? invalidationCall(request);
  if (call === undefined) {
    return refusal(501, 'NotImplemented', 'The local CloudFront has no such call.');
  }
  const { action, resource, id } = call;
  const accessKeyId = accessKeyIdOf(request.headers['authorization']) ?? '';
  if (options.iam.secretFor(accessKeyId) === undefined) {
    return refusal(403, 'InvalidClientTokenId', 'The security token is invalid.');
  }
  if (!options.iam.allows({ accessKeyId, action: `cloudfront:${action}`, resource })) {
    return refusal(403, 'AccessDenied', `Not authorized to perform cloudfront:${action}.`);
  }
  options.onCall(action);
  if (action !== ACTION) return answerDistributionCall(options.distributions, call, request);
  const items = itemsOf(request.body.toString('utf8'));
  options.invalidate(id, items);
  const paths = `<Paths><Quantity>${items.length}</Quantity></Paths>`;
  return xml(
    201,
    `<Invalidation><Id>${randomUUID()}</Id><Status>Completed</Status><CreateTime>${options.clock.now().toISOString()}</CreateTime><InvalidationBatch>${paths}<CallerReference>local</CallerReference></InvalidationBatch></Invalidation>`,
  );
}

/** The calls of CloudFront's control plane that we make: functions invalidate, operators replace the origin header. */
export function startCloudFrontApi(options: CloudFrontApiOptions): Promise<ServiceServer> {
  return startServiceServer(async (request) => handle(options, request));
}
