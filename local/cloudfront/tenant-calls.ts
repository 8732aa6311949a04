import { globalArn } from '../assembly/resource-type.ts';
import type { Certificate, Tag } from '../acm/certificate.ts';
import { escapeXml, type ServiceAnswer, type ServiceRequest } from '../http/service-server.ts';
import { tagContext } from '../iam/policy.ts';
import { xmlAnswer } from '../signatures/signed-service.ts';
import { type CloudFrontCall, CloudFrontError } from './cloudfront-answer.ts';
import {
  changedTenant,
  createdTenant,
  type CustomerTenant,
  isDeployed,
  tenantArn,
  type TenantConfig,
} from './customer-tenant.ts';
import {
  type EdgeConfig,
  requireFreeDomains,
  requireName,
  requireValidConfig,
} from './tenant-rules.ts';
import type { TenantStore } from './tenant-store.ts';
import { tenantFields, tenantXml } from './tenant-xml.ts';

export interface TenantDeps {
  store: TenantStore;
  edge: EdgeConfig;
  certificate(arn: string): Certificate | undefined;
  now: () => number;
  /** How long a change takes to reach the edges. */
  deployMs: number;
}

/** "Maximum number of distribution tenants per AWS account" */
const MAX_TENANTS = 10_000;

type Handler = (deps: TenantDeps, id: string, request: ServiceRequest) => CloudFrontCall;

/** By method and path; `{id}` stands for the last part of the path. */
const ROUTES: Record<string, Handler> = {
  'POST /distribution-tenant': (deps, _, request) => createCall(deps, request),
  'GET /distribution-tenant': (deps, _, { url }) =>
    byDomainCall(deps, new URL(url, 'http://localhost').searchParams.get('domain') ?? ''),
  'GET /distribution-tenant/{id}': (deps, id) =>
    oneCall(deps, 'GetDistributionTenant', id, (tenant) => answerOf(deps, tenant, 200)),
  'PUT /distribution-tenant/{id}': (deps, id, request) =>
    oneCall(deps, 'UpdateDistributionTenant', id, (tenant) => update(deps, tenant, request)),
  'DELETE /distribution-tenant/{id}': (deps, id, request) =>
    oneCall(deps, 'DeleteDistributionTenant', id, (tenant) => remove(deps, tenant, request)),
  'GET /connection-group/{id}': (deps, id) => connectionGroupCall(deps, id),
};

/** The calls about tenants and connection groups; undefined for any other call. */
export function tenantCall(deps: TenantDeps, request: ServiceRequest): CloudFrontCall | undefined {
  const { pathname } = new URL(request.url, 'http://localhost');
  const [, kind = '', id = ''] = /^\/2020-05-31\/([a-z-]+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
  const route = ROUTES[`${request.method} /${kind}${id === '' ? '' : '/{id}'}`];
  return route?.(deps, decodeURIComponent(id), request);
}

function answerOf({ now }: TenantDeps, tenant: CustomerTenant, status: number): ServiceAnswer {
  return xmlAnswer(tenantXml(tenant, now()), status, { etag: tenant.etag });
}

function oneCall(
  deps: TenantDeps,
  action: string,
  idOrName: string,
  run: (tenant: CustomerTenant) => ServiceAnswer,
): CloudFrontCall {
  const tenant = deps.store.find(idOrName);
  return {
    action,
    // A condition on tags of something that does not exist never holds.
    resource: tenantArn(tenant?.id ?? idOrName),
    context: tagContext({ resource: tenant?.tags ?? [] }),
    run() {
      if (tenant !== undefined) return run(tenant);
      throw new CloudFrontError('EntityNotFound', 'There is no distribution tenant of this id.');
    },
  };
}

function byDomainCall(deps: TenantDeps, domain: string): CloudFrontCall {
  const wanted = domain.toLowerCase();
  const found = deps.store.list().find(({ config }) => config.domains.includes(wanted));
  return oneCall(deps, 'GetDistributionTenantByDomain', found?.id ?? 'none', (tenant) =>
    answerOf(deps, tenant, 200),
  );
}

function createCall(deps: TenantDeps, request: ServiceRequest): CloudFrontCall {
  const fields = tenantFields(request.body.toString('utf8'));
  return {
    action: 'CreateDistributionTenant',
    // This action knows no resource: only `*` allows it.
    resource: '*',
    context: tagContext({ request: fields.tags, resource: fields.tags }),
    ...(fields.tags.length > 0 && { also: { action: 'TagResource', resource: tenantArn('new') } }),
    run: () => answerOf(deps, create(deps, fields), 201),
  };
}

type Fields = ReturnType<typeof tenantFields>;

function requireOwnCertificate({ isManaged }: Fields): void {
  if (!isManaged) return;
  throw new CloudFrontError('NotImplemented', 'The local CloudFront manages no certificates.');
}

function create(deps: TenantDeps, fields: Fields): CustomerTenant {
  const { store, edge, now, deployMs } = deps;
  requireOwnCertificate(fields);
  const name = requireName(fields.name);
  const config: TenantConfig = {
    distributionId: fields.distributionId ?? '',
    connectionGroupId: fields.connectionGroupId,
    domains: fields.domains ?? [],
    parameters: fields.parameters ?? [],
    certificateArn: fields.certificateArn,
    enabled: fields.enabled ?? true,
  };
  if (store.list().some((one) => one.name === name)) {
    throw new CloudFrontError('EntityAlreadyExists', 'A tenant of this name exists already.');
  }
  requireValidConfig(config, edge, (arn) => deps.certificate(arn));
  requireFreeDomains(
    config.domains,
    store.list().map((one) => one.config),
    edge,
  );
  if (store.list().length >= MAX_TENANTS) {
    throw new CloudFrontError('EntityLimitExceeded', `The account has ${MAX_TENANTS} tenants.`);
  }
  const tags: Tag[] = fields.tags;
  const tenant = createdTenant({ name, tags, config }, { now: now(), deployMs });
  store.put(tenant);
  return tenant;
}

function requireMatch({ etag }: CustomerTenant, request: ServiceRequest): void {
  const sent = request.headers['if-match'] ?? '';
  if (sent === '') {
    throw new CloudFrontError('InvalidIfMatchVersion', 'The If-Match version is missing.');
  }
  if (sent === etag) return;
  throw new CloudFrontError('PreconditionFailed', 'The If-Match version is not the current one.');
}

/** Fields that are not sent stay as they are. */
function update(deps: TenantDeps, tenant: CustomerTenant, request: ServiceRequest): ServiceAnswer {
  const { store, edge, now, deployMs } = deps;
  requireMatch(tenant, request);
  const fields = tenantFields(request.body.toString('utf8'));
  requireOwnCertificate(fields);
  const config: TenantConfig = {
    distributionId: fields.distributionId ?? tenant.config.distributionId,
    connectionGroupId: fields.connectionGroupId ?? tenant.config.connectionGroupId,
    domains: fields.domains ?? tenant.config.domains,
    parameters: fields.parameters ?? tenant.config.parameters,
    certificateArn: fields.certificateArn ?? tenant.config.certificateArn,
    enabled: fields.enabled ?? tenant.config.enabled,
  };
  // A tenant whose certificate has expired can still be switched off.
  if (config.enabled) requireValidConfig(config, edge, (arn) => deps.certificate(arn));
  const others = store.list().filter(({ id }) => id !== tenant.id);
  requireFreeDomains(
    config.domains,
    others.map((one) => one.config),
    edge,
  );
  const changed = changedTenant(tenant, config, { now: now(), deployMs });
  store.put(changed);
  return answerOf(deps, changed, 200);
}

/** A tenant can be deleted when every edge knows that it is disabled. */
function remove(deps: TenantDeps, tenant: CustomerTenant, request: ServiceRequest): ServiceAnswer {
  requireMatch(tenant, request);
  if (tenant.config.enabled || !isDeployed(tenant, deps.now())) {
    throw new CloudFrontError(
      'ResourceNotDisabled',
      'The specified CloudFront resource has not been disabled yet.',
    );
  }
  deps.store.delete(tenant.id);
  return { status: 204, headers: {}, body: '' };
}

function connectionGroupCall({ edge }: TenantDeps, id: string): CloudFrontCall {
  const arn = globalArn('cloudfront', `connection-group/${id}`);
  return {
    action: 'GetConnectionGroup',
    resource: arn,
    run() {
      const group = edge.connectionGroup(id);
      if (group === undefined) {
        throw new CloudFrontError('EntityNotFound', 'There is no connection group of this id.');
      }
      const endpoint = escapeXml(group.routingEndpoint);
      return xmlAnswer(
        `<ConnectionGroup><Id>${id}</Id><Name>${escapeXml(group.name)}</Name><Arn>${arn}</Arn><RoutingEndpoint>${endpoint}</RoutingEndpoint><Status>Deployed</Status><Enabled>${group.enabled}</Enabled></ConnectionGroup>`,
        200,
        { etag: 'E1' },
      );
    },
  };
}
