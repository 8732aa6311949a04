import { createHash } from 'node:crypto';
import { globalArn } from '../assembly/resource-type.ts';
import {
  escapeXml,
  type ServiceAnswer,
  type ServiceRequest,
  unescapeXml,
} from '../http/service-server.ts';
import { xmlAnswer } from '../signatures/signed-service.ts';
import { type CloudFrontCall, CloudFrontError } from './cloudfront-answer.ts';

/** The custom headers of each origin of a distribution, by the origin's id. */
export type OriginHeaders = Record<string, Record<string, string>>;

/** The part of a distribution's configuration that can be changed while it runs. */
export interface DistributionHeaders {
  /** Undefined for an unknown distribution. */
  read(distributionId: string): OriginHeaders | undefined;
  write(distributionId: string, headers: OriginHeaders): void;
}

const DISTRIBUTION_ROUTE = /^\/2020-05-31\/distribution\/([^/?]+)(\/config)?$/;

/** GetDistribution and UpdateDistribution; undefined for any other call. An update may change origin headers only. */
export function distributionCall(
  distributions: DistributionHeaders,
  request: ServiceRequest,
): CloudFrontCall | undefined {
  const { method, url } = request;
  const [, id, config] = DISTRIBUTION_ROUTE.exec(url) ?? [];
  const isGet = method === 'GET' && config === undefined;
  if (id === undefined || !(isGet || (method === 'PUT' && config !== undefined))) return undefined;
  const action = isGet ? 'GetDistribution' : 'UpdateDistribution';
  return {
    action,
    resource: globalArn('cloudfront', `distribution/${id}`),
    run: () => answerDistributionCall(distributions, { id, action }, request),
  };
}

function answerDistributionCall(
  distributions: DistributionHeaders,
  { id, action }: { id: string; action: string },
  request: ServiceRequest,
): ServiceAnswer {
  const headers = distributions.read(id);
  if (headers === undefined) {
    throw new CloudFrontError('NoSuchDistribution', 'The specified distribution does not exist.');
  }
  if (action === 'GetDistribution') return distributionAnswer(id, headers);
  if (request.headers['if-match'] !== etagOf(headers)) {
    throw new CloudFrontError('PreconditionFailed', 'The If-Match version is not the current one.');
  }
  const sent = parseOriginHeaders(request.body.toString('utf8'));
  if (Object.keys(sent).toSorted().join() !== Object.keys(headers).toSorted().join()) {
    throw new CloudFrontError(
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
  const body = `<Distribution><Id>${id}</Id><Status>Deployed</Status>${config}</Distribution>`;
  return xmlAnswer(body, 200, { etag: etagOf(headers) });
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
