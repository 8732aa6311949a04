import { randomUUID } from 'node:crypto';
import type { Clock } from '../time/clock.ts';
import { globalArn } from '../assembly/resource-type.ts';
import {
  type ServiceAnswer,
  type ServiceRequest,
  type ServiceServer,
  startServiceServer,
  unescapeXml,
} from '../http/service-server.ts';
import type { Iam } from '../iam/iam.ts';
import { queryRefusalCode, signerOf } from '../signatures/signed-call.ts';
import type { Failures } from '../operator/failures.ts';
import {
  type CloudFrontCall,
  CloudFrontError,
  errorAnswer,
  xmlAnswer,
} from './cloudfront-answer.ts';
import { distributionCall, type DistributionHeaders } from './origin-headers.ts';
import { tenantCall, type TenantDeps } from './tenant-calls.ts';

export interface CloudFrontApiOptions {
  clock: Clock;
  iam: Pick<Iam, 'allows' | 'callerArn' | 'secretFor'>;
  /** Invalidates paths (`/a/*`) and tags (`#tag`); throws for an unknown tenant. */
  invalidate(id: string, items: string[]): void;
  /** The part of distributions that can change while they run. */
  distributions: DistributionHeaders;
  /** Tenants that calls create, and what they depend on. */
  tenants: Omit<TenantDeps, 'now'>;
  failures: Pick<Failures, 'take'>;
  onCall(action: string): void;
}

const INVALIDATION_ROUTE = /^\/2020-05-31\/distribution-tenant\/([^/?]+)\/invalidation$/;

function invalidationPaths(body: string): string[] {
  return [...body.matchAll(/<Path>([^<]*)<\/Path>/g)].map(([, path = '']) => unescapeXml(path));
}

function invalidationCall(
  options: CloudFrontApiOptions,
  { method, url, body }: ServiceRequest,
): CloudFrontCall | undefined {
  const [, id] = INVALIDATION_ROUTE.exec(url) ?? [];
  if (method !== 'POST' || id === undefined) return undefined;
  const items = invalidationPaths(body.toString('utf8'));
  return {
    action: 'CreateInvalidationForDistributionTenant',
    resource: globalArn('cloudfront', `distribution-tenant/${id}`),
    run() {
      options.invalidate(id, items);
      const paths = `<Paths><Quantity>${items.length}</Quantity></Paths>`;
      return xmlAnswer(
        201,
        `<Invalidation><Id>${randomUUID()}</Id><Status>Completed</Status><CreateTime>${options.clock.now().toISOString()}</CreateTime><InvalidationBatch>${paths}<CallerReference>local</CallerReference></InvalidationBatch></Invalidation>`,
      );
    },
  };
}

function requirePermission(
  { iam }: CloudFrontApiOptions,
  accessKeyId: string,
  { context = {}, also, ...own }: CloudFrontCall,
): void {
  for (const { action, resource } of [own, ...(also === undefined ? [] : [also])]) {
    if (iam.allows({ accessKeyId, action: `cloudfront:${action}`, resource, context })) continue;
    throw new CloudFrontError(
      'AccessDenied',
      `User: ${iam.callerArn(accessKeyId)} is not authorized to perform: cloudfront:${action} on resource: ${resource}`,
    );
  }
}

function handle(options: CloudFrontApiOptions, request: ServiceRequest): ServiceAnswer {
  const accessKeyId = signerOf(
    request,
    { ...options, service: 'cloudfront' },
    (reason, message) => new CloudFrontError(queryRefusalCode(reason), message),
  );
  const now = () => options.clock.now().getTime();
  const call =
    distributionCall(options.distributions, request) ??
    invalidationCall(options, request) ??
    tenantCall({ ...options.tenants, now }, request);
  if (call === undefined) {
    throw new CloudFrontError('NotImplemented', 'The local CloudFront does not support this call.');
  }
  options.onCall(call.action);
  const ordered = options.failures.take('cloudfront', call.action);
  if (ordered !== undefined) return errorAnswer(400, ordered, 'This failure was ordered.');
  requirePermission(options, accessKeyId, call);
  return call.run();
}

/** The control plane of CloudFront: functions invalidate and manage tenants, operators replace origin headers. */
export function startCloudFrontApi(options: CloudFrontApiOptions): Promise<ServiceServer> {
  return startServiceServer(options.clock, async (request) => {
    try {
      return handle(options, request);
    } catch (error) {
      if (error instanceof CloudFrontError) return error.answer;
      throw error;
    }
  });
}
