import { randomUUID } from 'node:crypto';
import { globalArn } from '../assembly/resource-type.ts';
import { type ServiceRequest, type ServiceServer, unescapeXml } from '../http/service-server.ts';
import {
  awsXml,
  type ServiceDeps,
  startSignedService,
  xmlAnswer,
} from '../signatures/signed-service.ts';
import type { Failures } from '../operator/failures.ts';
import { type CloudFrontCall, CloudFrontError } from './cloudfront-answer.ts';
import { distributionCall, type DistributionHeaders } from './origin-headers.ts';
import { tenantCall, type TenantDeps } from './tenant-calls.ts';

export interface CloudFrontApiOptions extends ServiceDeps {
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
        `<Invalidation><Id>${randomUUID()}</Id><Status>Completed</Status><CreateTime>${options.clock.now().toISOString()}</CreateTime><InvalidationBatch>${paths}<CallerReference>local</CallerReference></InvalidationBatch></Invalidation>`,
        201,
      );
    },
  };
}

/** The control plane of CloudFront: functions invalidate and manage tenants, operators replace origin headers. */
export function startCloudFrontApi(options: CloudFrontApiOptions): Promise<ServiceServer> {
  const { clock, failures, distributions } = options;
  const tenants = { ...options.tenants, now: () => clock.now().getTime() };
  const kind = { service: 'cloudfront', protocol: awsXml };
  return startSignedService(options, kind, (request) => {
    const call =
      distributionCall(distributions, request) ??
      invalidationCall(options, request) ??
      tenantCall(tenants, request);
    if (call === undefined) {
      const message = 'The local CloudFront does not support this call.';
      throw new CloudFrontError('NotImplemented', message);
    }
    const { action, resource, context, also } = call;
    options.onCall(action);
    failures.take('cloudfront', action);
    request.requirePermission(`cloudfront:${action}`, resource, context);
    if (also !== undefined) {
      request.requirePermission(`cloudfront:${also.action}`, also.resource, context);
    }
    return call.run();
  });
}
