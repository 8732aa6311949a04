import * as z from 'zod';
import { type CachePolicy, cachePolicy, managedCachePolicies } from './cache/cache-policy.ts';
import { type Behaviour, type Distribution, distribution, type Origin } from './distribution.ts';
import { connectionGroup, hostTable, tenant } from './host-routing.ts';
import type { OriginKind, RoutedOrigin } from './origin/origin-request.ts';
import {
  managedOriginRequestPolicies,
  noOriginRequestPolicy,
  type OriginRequestPolicy,
  originRequestPolicy,
} from './origin/origin-request-policy.ts';
import { type ResponseHeadersPolicy, responseHeadersPolicy } from './response-headers.ts';
import { type ViewerFunction, viewerFunction } from './viewer-function/viewer-function.ts';
import { type Resource, ignored, parseProperties, rejectProperty } from '../assembly/resource.ts';

/** A cache behaviour with everything that it refers to. */
export interface Route {
  behaviour: Behaviour;
  cachePolicy: CachePolicy;
  originRequestPolicy: OriginRequestPolicy;
  responseHeaders: ResponseHeadersPolicy | undefined;
  viewerFunction: ViewerFunction | undefined;
  responseFunction: ViewerFunction | undefined;
  origin: RoutedOrigin;
  /** All origins of the distribution, by id. */
  origins: ReadonlyMap<string, RoutedOrigin>;
}

/** All CloudFront resources of the templates, parsed and linked. */
export type Catalog = ReturnType<typeof readCatalog>;

/** Tells the kind of origin of a domain name that does not show it. */
export type OriginKindOfDomain = (domainName: string) => OriginKind | undefined;

const PREFIX = 'AWS::CloudFront::';

const AccessControlProperties = z.strictObject({
  OriginAccessControlConfig: z.strictObject({
    Name: ignored,
    OriginAccessControlOriginType: z.enum(['s3', 'lambda']),
    SigningBehavior: z.literal('always'),
    SigningProtocol: z.literal('sigv4'),
  }),
});

/** Parses every CloudFront resource; an unsupported property stops the start. */
export function readCatalog(resources: readonly Resource[], kindOfDomain: OriginKindOfDomain) {
  const cloudFrontResources = resources.filter(({ type }) => type.startsWith(PREFIX));
  const read = readReferencedResources(cloudFrontResources);
  const distributions = byId(cloudFrontResources, 'Distribution', distribution);
  const routes = new Map(
    ofType(cloudFrontResources, 'Distribution').map((resource) => [
      resource.logicalId,
      routesOf(resource, distributions.get(resource.logicalId), read, kindOfDomain),
    ]),
  );
  const tenants = ofType(cloudFrontResources, 'DistributionTenant').map((resource) => {
    const parsed = tenant(resource);
    const group = parsed.connectionGroupId;
    const isConnected = group === undefined || read.connectionGroup(resource, group).enabled;
    return { resource, tenant: parsed, isConnected };
  });
  return {
    hosts: hostTable(distributions, tenants),
    /** By distribution id, in order of precedence. */
    routes,
    /** The ids of distributions and tenants, which an invalidation may name. */
    ids: new Set([...distributions.keys(), ...tenants.map(({ tenant }) => tenant.id)]),
    distributions,
    connectionGroups: byId(cloudFrontResources, 'ConnectionGroup', connectionGroup),
  };
}

/** Looks up a parsed resource by id; `referrer` is the resource that refers to it. */
type LookUp<T> = (referrer: Resource, id: string) => T;

/** Parses all resources that other resources refer to. */
function readReferencedResources(resources: readonly Resource[]) {
  const known = new Set<string>(['Distribution', 'DistributionTenant']);
  const read = <T>(type: string, parse: (resource: Resource) => T): LookUp<T> => {
    known.add(type);
    const parsed = new Map(
      ofType(resources, type).map((resource) => [resource.logicalId, { value: parse(resource) }]),
    );
    return (referrer, id) =>
      parsed.get(id)?.value ?? rejectProperty(referrer, type, `is not in the templates: ${id}`);
  };
  const lookups = {
    cachePolicy: read('CachePolicy', cachePolicy),
    originRequestPolicy: read('OriginRequestPolicy', originRequestPolicy),
    responseHeadersPolicy: read('ResponseHeadersPolicy', responseHeadersPolicy),
    viewerFunction: read('Function', viewerFunction),
    accessControl: read(
      'OriginAccessControl',
      (resource) => parseProperties(resource, AccessControlProperties).OriginAccessControlConfig,
    ),
    connectionGroup: read('ConnectionGroup', connectionGroup),
  };
  const unsupported = resources.find(({ type }) => !known.has(type.slice(PREFIX.length)));
  if (unsupported !== undefined)
    rejectProperty(unsupported, 'the resource type', 'is not supported');
  return lookups;
}

type ReferencedResources = ReturnType<typeof readReferencedResources>;

function ofType(resources: readonly Resource[], type: string): Resource[] {
  return resources.filter((resource) => resource.type === `${PREFIX}${type}`);
}

function byId<T>(resources: readonly Resource[], type: string, parse: (one: Resource) => T) {
  return new Map(ofType(resources, type).map((resource) => [resource.logicalId, parse(resource)]));
}

function routesOf(
  resource: Resource,
  parsed: Distribution | undefined,
  read: ReferencedResources,
  kindOfDomain: OriginKindOfDomain,
): Route[] {
  const origins = new Map(
    [...(parsed?.origins ?? [])].map(([id, origin]) => [
      id,
      routedOrigin(resource, origin, read, kindOfDomain),
    ]),
  );
  return (parsed?.behaviours ?? []).map((behaviour) => {
    const origin = origins.get(behaviour.originId);
    if (origin === undefined)
      return rejectProperty(resource, 'TargetOriginId', 'names an unknown origin');
    const policies = policiesOf(resource, behaviour, read);
    const { gzip, brotli } = policies.cachePolicy;
    if (behaviour.compress && (gzip || brotli)) {
      rejectProperty(
        resource,
        `Compress of ${behaviour.pathPattern}`,
        'is not supported by the local edge',
      );
    }
    const functionOf = (arn: string | undefined) =>
      arn === undefined
        ? undefined
        : read.viewerFunction(resource, arn.slice(arn.lastIndexOf('/') + 1));
    return {
      behaviour,
      ...policies,
      viewerFunction: functionOf(behaviour.functionArns['viewer-request']),
      responseFunction: functionOf(behaviour.functionArns['viewer-response']),
      origin,
      origins,
    };
  });
}

function policiesOf(resource: Resource, behaviour: Behaviour, read: ReferencedResources) {
  const { cachePolicyId, originRequestPolicyId, responseHeadersPolicyId } = behaviour;
  return {
    cachePolicy: managedCachePolicies[cachePolicyId] ?? read.cachePolicy(resource, cachePolicyId),
    originRequestPolicy:
      originRequestPolicyId === undefined
        ? noOriginRequestPolicy
        : (managedOriginRequestPolicies[originRequestPolicyId] ??
          read.originRequestPolicy(resource, originRequestPolicyId)),
    responseHeaders:
      responseHeadersPolicyId === undefined
        ? undefined
        : read.responseHeadersPolicy(resource, responseHeadersPolicyId),
  };
}

function routedOrigin(
  resource: Resource,
  origin: Origin,
  read: ReferencedResources,
  kindOfDomain: OriginKindOfDomain,
): RoutedOrigin {
  const control =
    origin.originAccessControlId === undefined
      ? undefined
      : read.accessControl(resource, origin.originAccessControlId);
  const isFunction =
    control?.OriginAccessControlOriginType === 'lambda' || /\.lambda-url\./.test(origin.domainName);
  const kind = origin.isS3
    ? 's3'
    : (kindOfDomain(origin.domainName) ??
      (isFunction ? 'function-url' : undefined) ??
      (/\.execute-api\./.test(origin.domainName) ? 'rest-api' : undefined));
  if (kind === undefined) {
    return rejectProperty(
      resource,
      `origin ${origin.id}`,
      `is of an unknown kind: ${origin.domainName}`,
    );
  }
  return { ...origin, kind, signsRequests: control !== undefined };
}
