import type { KeyObject } from 'node:crypto';
import * as z from 'zod';
import type { Resource } from '../http/http.ts';
import {
  type CachePolicy,
  cachePolicy,
  managedCachePolicies,
  otherManagedPolicies,
} from './cache/cache-policy.ts';
import { CLOUDFRONT_PREFIX } from './cloudfront-headers.ts';
import { type Behaviour, type Distribution, distribution, type Origin } from './distribution.ts';
import { hostTable, isConnectionGroupEnabled, type Site, tenant } from './host-routing.ts';
import type { OriginKind } from './origin/origin-request.ts';
import {
  managedOriginRequestPolicies,
  noOriginRequestPolicy,
  type OriginRequestPolicy,
  originRequestPolicy,
} from './origin/origin-request-policy.ts';
import { noDifference, propertiesOf, refuse } from './resource-schema.ts';
import { type ResponseHeadersPolicy, responseHeadersPolicy } from './response-headers.ts';
import { keyGroupItems, signingKey } from './signed-url.ts';
import { type ViewerFunction, viewerFunction } from './viewer-function/viewer-function.ts';

/** A behaviour with everything that it names. */
export interface Route {
  behaviour: Behaviour;
  cachePolicy: CachePolicy;
  originRequestPolicy: OriginRequestPolicy;
  responseHeaders: ResponseHeadersPolicy | undefined;
  /** Undefined where anyone may ask; else the keys by their ids. */
  keys: ReadonlyMap<string, KeyObject> | undefined;
  viewerFunction: ViewerFunction | undefined;
  origin: Origin & { kind: OriginKind; oac: boolean };
  /** `CloudFront-*` headers that the policies list. */
  cloudFrontHeaders: readonly string[];
}

/** All CloudFront resources of the templates, read and joined. */
export interface Catalog {
  hosts: ReadonlyMap<string, Site>;
  /** By distribution, in order of precedence. */
  routes: ReadonlyMap<string, readonly Route[]>;
  /** Distributions and tenants: what an invalidation may name. */
  ids: ReadonlySet<string>;
}

/** Says what kind of origin a domain name is, where the name itself does not tell. */
export type KindOfDomain = (domainName: string) => OriginKind | undefined;

const PREFIX = 'AWS::CloudFront::';

const AccessControlProperties = z.strictObject({
  OriginAccessControlConfig: z.strictObject({
    Name: noDifference,
    Description: noDifference,
    OriginAccessControlOriginType: z.enum(['s3', 'lambda']),
    SigningBehavior: z.enum(['always', 'never']),
    SigningProtocol: z.literal('sigv4'),
  }),
});

/** Reads every CloudFront resource; whatever the edge cannot do throws here, before the first request. */
export function readCatalog(resources: readonly Resource[], kindOfDomain: KindOfDomain): Catalog {
  const ours = resources.filter(({ type }) => type.startsWith(PREFIX));
  const read = readers(ours);
  const distributions = new Map(
    ofType(ours, 'Distribution').map((resource) => [resource.logicalId, distribution(resource)]),
  );
  const routes = new Map(
    ofType(ours, 'Distribution').map((resource) => [
      resource.logicalId,
      routesOf(resource, distributions.get(resource.logicalId), read, kindOfDomain),
    ]),
  );
  const tenants = ofType(ours, 'DistributionTenant').map((resource) => {
    const parsed = tenant(resource);
    const group = parsed.connectionGroupId;
    const isConnected = group === undefined || read.connectionGroup(resource, group);
    return { resource, tenant: parsed, isConnected };
  });
  return {
    hosts: hostTable(distributions, tenants),
    routes,
    ids: new Set([...distributions.keys(), ...tenants.map(({ tenant }) => tenant.id)]),
  };
}

/** Looks a named resource up and gives it as read; `by` is the resource that names it. */
type Lookup<T> = (by: Resource, id: string) => T;

/** Reads all resources that others name, once each. */
function readers(resources: readonly Resource[]) {
  const known = new Set<string>(['Distribution', 'DistributionTenant']);
  const read = <T>(type: string, parse: (resource: Resource) => T): Lookup<T> => {
    known.add(type);
    const parsed = new Map(
      ofType(resources, type).map((resource) => [resource.logicalId, { value: parse(resource) }]),
    );
    return (by, id) => {
      const name = otherManagedPolicies[id];
      return (
        parsed.get(id)?.value ??
        refuse(
          by,
          type,
          name === undefined ? `is not in the templates: ${id}` : `${name} is not supported`,
        )
      );
    };
  };
  const lookups = {
    cachePolicy: read('CachePolicy', cachePolicy),
    originRequestPolicy: read('OriginRequestPolicy', originRequestPolicy),
    responseHeadersPolicy: read('ResponseHeadersPolicy', responseHeadersPolicy),
    viewerFunction: read('Function', viewerFunction),
    publicKey: read('PublicKey', signingKey),
    keyGroup: read('KeyGroup', keyGroupItems),
    accessControl: read(
      'OriginAccessControl',
      (resource) => propertiesOf(resource, AccessControlProperties).OriginAccessControlConfig,
    ),
    connectionGroup: read('ConnectionGroup', isConnectionGroupEnabled),
  };
  const strange = resources.find(({ type }) => !known.has(type.slice(PREFIX.length)));
  if (strange !== undefined) refuse(strange, 'the resource type', 'is not supported');
  return lookups;
}

type Lookups = ReturnType<typeof readers>;

function ofType(resources: readonly Resource[], type: string): Resource[] {
  return resources.filter((resource) => resource.type === `${PREFIX}${type}`);
}

function routesOf(
  resource: Resource,
  parsed: Distribution | undefined,
  read: Lookups,
  kindOfDomain: KindOfDomain,
): Route[] {
  return (parsed?.behaviours ?? []).map((behaviour) => {
    const origin = parsed?.origins.get(behaviour.originId);
    if (origin === undefined) return refuse(resource, 'TargetOriginId', 'names no origin');
    const policies = policiesOf(resource, behaviour, read);
    const { gzip, brotli } = policies.cachePolicy;
    if (behaviour.compress && (gzip || brotli)) {
      refuse(resource, `Compress of ${behaviour.pathPattern}`, 'is not done by the local edge');
    }
    const groups = behaviour.trustedKeyGroups.flatMap((id) => read.keyGroup(resource, id));
    const arn = behaviour.functionArn;
    return {
      behaviour,
      ...policies,
      keys:
        behaviour.trustedKeyGroups.length === 0
          ? undefined
          : new Map(groups.map((id) => [id, read.publicKey(resource, id)])),
      viewerFunction:
        arn === undefined
          ? undefined
          : read.viewerFunction(resource, arn.slice(arn.lastIndexOf('/') + 1)),
      origin: routedOrigin(resource, origin, read, kindOfDomain),
      cloudFrontHeaders: [
        ...policies.cachePolicy.headers,
        ...(policies.originRequestPolicy.headerBehaviour === 'allExcept'
          ? []
          : policies.originRequestPolicy.headers),
      ].filter((name) => name.startsWith(CLOUDFRONT_PREFIX)),
    };
  });
}

function policiesOf(resource: Resource, behaviour: Behaviour, read: Lookups) {
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
  read: Lookups,
  kindOfDomain: KindOfDomain,
): Route['origin'] {
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
    return refuse(resource, `origin ${origin.id}`, `is of no known kind: ${origin.domainName}`);
  }
  return { ...origin, kind, oac: control?.SigningBehavior === 'always' };
}
