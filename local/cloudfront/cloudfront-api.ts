import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { globalArn } from '../assembly/resource-type.ts';
import { accessKeyIdOf } from '../iam/credential.ts';
import type { Iam } from '../iam/iam.ts';
import {
  type ServiceAnswer,
  type ServiceRequest,
  type ServiceServer,
  startServiceServer,
} from '../service-server.ts';

export interface CloudFrontApiOptions {
  clock: Clock;
  iam: Iam;
  /** Forgets paths (`/a/*`) and tags (`#tag`); throws for an unknown tenant. */
  invalidate(tenantId: string, items: string[]): void;
  onCall(action: string): void;
}

const ACTION = 'CreateInvalidationForDistributionTenant';
const ROUTE = /^\/2020-05-31\/distribution-tenant\/([^/?]+)\/invalidation$/;

function xml(status: number, body: string): ServiceAnswer {
  return { status, headers: { 'content-type': 'text/xml' }, body };
}

function refusal(status: number, code: string, message: string): ServiceAnswer {
  return xml(
    status,
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  );
}

function itemsOf(body: string): string[] {
  return [...body.matchAll(/<Path>([^<]*)<\/Path>/g)].map(([, path = '']) =>
    path.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  );
}

function handle(options: CloudFrontApiOptions, request: ServiceRequest): ServiceAnswer {
  const [, tenantId] = ROUTE.exec(request.url) ?? [];
  if (request.method !== 'POST' || tenantId === undefined) {
    return refusal(501, 'NotImplemented', 'The local CloudFront only invalidates for tenants.');
  }
  const accessKeyId = accessKeyIdOf(request.headers['authorization']) ?? '';
  if (options.iam.secretFor(accessKeyId) === undefined) {
    return refusal(403, 'InvalidClientTokenId', 'The security token is invalid.');
  }
  const resource = globalArn('cloudfront', `distribution-tenant/${tenantId}`);
  if (!options.iam.allows({ accessKeyId, action: `cloudfront:${ACTION}`, resource })) {
    return refusal(403, 'AccessDenied', `Not authorized to perform cloudfront:${ACTION}.`);
  }
  const items = itemsOf(request.body.toString('utf8'));
  options.onCall(ACTION);
  options.invalidate(tenantId, items);
  const paths = `<Paths><Quantity>${items.length}</Quantity></Paths>`;
  return xml(
    201,
    `<Invalidation><Id>${randomUUID()}</Id><Status>Completed</Status><CreateTime>${options.clock.now().toISOString()}</CreateTime><InvalidationBatch>${paths}<CallerReference>local</CallerReference></InvalidationBatch></Invalidation>`,
  );
}

/** The one call of CloudFront's control plane that functions make: forgetting what a tenant's edge keeps. */
export function startCloudFrontApi(options: CloudFrontApiOptions): Promise<ServiceServer> {
  return startServiceServer(async (request) => handle(options, request));
}
