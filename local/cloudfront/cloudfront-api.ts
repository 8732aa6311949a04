import { escapeXml, unescapeXml } from '../http/xml-text.ts';
import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../time/clock.ts';
import { globalArn } from '../assembly/resource-type.ts';
import { type Iam, knownAccessKey } from '../iam/iam.ts';
import {
  type ServiceAnswer,
  type ServiceRequest,
  type ServiceServer,
  startServiceServer,
} from '../http/service-server.ts';

export interface CloudFrontApiOptions {
  clock: Clock;
  iam: Iam;
  /** Invalidates paths (`/a/*`) and tags (`#tag`); throws for an unknown tenant. */
  invalidate(id: string, items: string[]): void;
  /** Whether an invalidation of a tenant refuses tags. */
  refusesTenantTags: boolean;
  /** The part of distributions that can change while they run. */
  distributions: DistributionHeaders;
  onCall(action: string): void;
}

const INVALIDATION_ROUTE = /^\/2020-05-31\/(distribution(?:-tenant)?)\/([^/?]+)\/invalidation$/;
const TENANT_ACTION = 'CreateInvalidationForDistributionTenant';

function invalidationPaths(body: string): string[] {
  return [...body.matchAll(/<Path>([^<]*)<\/Path>/g)].map(([, path = '']) => unescapeXml(path));
}

function invalidationCall({ method, url }: ServiceRequest) {
  const [, kind, id] = INVALIDATION_ROUTE.exec(url) ?? [];
  if (method !== 'POST' || id === undefined) return undefined;
  const action = kind === 'distribution' ? 'CreateInvalidation' : TENANT_ACTION;
  return { id, action, resource: globalArn('cloudfront', `${kind}/${id}`) };
}

function handle(options: CloudFrontApiOptions, request: ServiceRequest): ServiceAnswer {
  const call = distributionCall(request) ?? invalidationCall(request);
  if (call === undefined) {
    return errorAnswer(501, 'NotImplemented', 'The local CloudFront does not support this call.');
  }
  const { action, resource, id } = call;
  const accessKeyId = knownAccessKey(options.iam, request.headers);
  if (accessKeyId === undefined) {
    return errorAnswer(403, 'InvalidClientTokenId', 'The security token is invalid.');
  }
  if (!options.iam.allows({ accessKeyId, action: `cloudfront:${action}`, resource })) {
    return errorAnswer(403, 'AccessDenied', `Not authorized to perform cloudfront:${action}.`);
  }
  options.onCall(action);
  if (!action.startsWith('CreateInvalidation'))
    return answerDistributionCall(options.distributions, call, request);
  const items = invalidationPaths(request.body.toString('utf8'));
  const isRefused = options.refusesTenantTags && action === TENANT_ACTION;
  if (isRefused && items.some((item) => item.startsWith('#'))) {
    return errorAnswer(400, 'InvalidArgument', 'Your request contains a path that is not valid.');
  }
  options.invalidate(id, items);
  const paths = `<Paths><Quantity>${items.length}</Quantity></Paths>`;
  return xmlAnswer(
    201,
    `<Invalidation><Id>${randomUUID()}</Id><Status>Completed</Status><CreateTime>${options.clock.now().toISOString()}</CreateTime><InvalidationBatch>${paths}<CallerReference>local</CallerReference></InvalidationBatch></Invalidation>`,
  );
}

/** The control plane of CloudFront: functions create invalidations, operators replace origin headers. */
export function startCloudFrontApi(options: CloudFrontApiOptions): Promise<ServiceServer> {
  return startServiceServer(async (request) => handle(options, request));
}

/** An answer of CloudFront's control plane. */
function xmlAnswer(status: number, body: string): ServiceAnswer {
  return { status, headers: { 'content-type': 'text/xml' }, body };
}

/** An error in CloudFront's format. */
function errorAnswer(status: number, code: string, message: string): ServiceAnswer {
  return xmlAnswer(
    status,
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  );
}

/** The custom headers of each origin of a distribution, by the origin's id. */
export type OriginHeaders = Record<string, Record<string, string>>;

/** The part of a distribution's configuration that can be changed while it runs. */
export interface DistributionHeaders {
  /** Undefined for an unknown distribution. */
  read(distributionId: string): OriginHeaders | undefined;
  write(distributionId: string, headers: OriginHeaders): void;
}

const DISTRIBUTION_ROUTE = /^\/2020-05-31\/distribution\/([^/?]+)(\/config)?$/;

/** The action and the resource of the call; undefined for any other call. */
function distributionCall({ method, url }: Pick<ServiceRequest, 'method' | 'url'>) {
  const [, id, config] = DISTRIBUTION_ROUTE.exec(url) ?? [];
  const isGet = method === 'GET' && config === undefined;
  if (id === undefined || !(isGet || (method === 'PUT' && config !== undefined))) return undefined;
  const action = isGet ? 'GetDistribution' : 'UpdateDistribution';
  return { id, action, resource: globalArn('cloudfront', `distribution/${id}`) };
}

/** Answers GetDistribution and UpdateDistribution. An update may change origin headers only. */
function answerDistributionCall(
  distributions: DistributionHeaders,
  { id, action }: { id: string; action: string },
  request: ServiceRequest,
): ServiceAnswer {
  const headers = distributions.read(id);
  if (headers === undefined) {
    return errorAnswer(404, 'NoSuchDistribution', 'The specified distribution does not exist.');
  }
  if (action === 'GetDistribution') return distributionAnswer(id, headers);
  if (request.headers['if-match'] !== etagOf(headers)) {
    return errorAnswer(412, 'PreconditionFailed', 'The If-Match version is not the current one.');
  }
  const sent = parseOriginHeaders(request.body.toString('utf8'));
  if (Object.keys(sent).toSorted().join() !== Object.keys(headers).toSorted().join()) {
    return errorAnswer(
      400,
      'InvalidArgument',
      'The local CloudFront can change origin headers only.',
    );
  }
  distributions.write(id, sent);
  return distributionAnswer(id, sent);
}

function distributionAnswer(id: string, headers: OriginHeaders): ServiceAnswer {
  const origins = Object.entries(headers).map(([originId, own]) => {
    const items = Object.entries(own).map(
      ([name, value]) =>
        `<OriginCustomHeader><HeaderName>${escapeXml(name)}</HeaderName><HeaderValue>${escapeXml(value)}</HeaderValue></OriginCustomHeader>`,
    );
    return `<Origin><Id>${escapeXml(originId)}</Id><DomainName>local</DomainName><CustomHeaders><Quantity>${items.length}</Quantity><Items>${items.join('')}</Items></CustomHeaders></Origin>`;
  });
  const config = `<DistributionConfig><CallerReference>local</CallerReference><Origins><Quantity>${origins.length}</Quantity><Items>${origins.join('')}</Items></Origins><Comment></Comment><Enabled>true</Enabled></DistributionConfig>`;
  const answer = xmlAnswer(
    200,
    `<Distribution><Id>${id}</Id><Status>Deployed</Status>${config}</Distribution>`,
  );
  return { ...answer, headers: { ...answer.headers, etag: etagOf(headers) } };
}

function parseOriginHeaders(body: string): OriginHeaders {
  const origins = [...body.matchAll(/<Origin>(.*?)<\/Origin>/gs)].map(([, origin = '']) => {
    const [, id = ''] = /<Id>([^<]*)<\/Id>/.exec(origin) ?? [];
    const headers = [
      ...origin.matchAll(
        /<HeaderName>([^<]*)<\/HeaderName>\s*<HeaderValue>([^<]*)<\/HeaderValue>/g,
      ),
    ].map(([, name = '', value = '']) => [unescapeXml(name), unescapeXml(value)] as const);
    return [unescapeXml(id), Object.fromEntries(headers)] as const;
  });
  return Object.fromEntries(origins);
}

function etagOf(headers: OriginHeaders): string {
  return createHash('sha256').update(JSON.stringify(headers)).digest('hex').slice(0, 14);
}
