import { createHash } from 'node:crypto';
import { globalArn } from '../assembly/resource-type.ts';
import type { ServiceAnswer, ServiceRequest } from '../http/service-server.ts';
import { escapeXml, refusal, unescapeXml, xml } from './cloudfront-xml.ts';

/** The headers that each origin of a distribution gets, by the origin's id. */
export type OriginHeaders = Record<string, Record<string, string>>;

/** The part of a distribution's configuration that can be changed while it runs. */
export interface DistributionHeaders {
  /** Undefined for a distribution that is not there. */
  read(distributionId: string): OriginHeaders | undefined;
  write(distributionId: string, headers: OriginHeaders): void;
}

const ROUTE = /^\/2020-05-31\/distribution\/([^/?]+)(\/config)?$/;

/** What the call does and to what, if it is one of these. */
export function distributionCall({ method, url }: Pick<ServiceRequest, 'method' | 'url'>) {
  const [, id, config] = ROUTE.exec(url) ?? [];
  const isGet = method === 'GET' && config === undefined;
  if (id === undefined || !(isGet || (method === 'PUT' && config !== undefined))) return undefined;
  const action = isGet ? 'GetDistribution' : 'UpdateDistribution';
  return { id, action, resource: globalArn('cloudfront', `distribution/${id}`) };
}

/** Shows a distribution, or changes the headers of its origins; everything else of it stays as the template has it. */
export function answerDistributionCall(
  distributions: DistributionHeaders,
  { id, action }: { id: string; action: string },
  request: ServiceRequest,
): ServiceAnswer {
  const headers = distributions.read(id);
  if (headers === undefined) {
    return refusal(404, 'NoSuchDistribution', 'The specified distribution does not exist.');
  }
  if (action === 'GetDistribution') return shown(id, headers);
  if (request.headers['if-match'] !== etagOf(headers)) {
    return refusal(412, 'PreconditionFailed', 'The If-Match version is not the present one.');
  }
  const sent = originHeaders(request.body.toString('utf8'));
  if (Object.keys(sent).toSorted().join() !== Object.keys(headers).toSorted().join()) {
    return refusal(400, 'InvalidArgument', 'The local CloudFront changes headers of origins only.');
  }
  distributions.write(id, sent);
  return shown(id, sent);
}

function shown(id: string, headers: OriginHeaders): ServiceAnswer {
  const origins = Object.entries(headers).map(([originId, own]) => {
    const items = Object.entries(own).map(
      ([name, value]) =>
        `<OriginCustomHeader><HeaderName>${escapeXml(name)}</HeaderName><HeaderValue>${escapeXml(value)}</HeaderValue></OriginCustomHeader>`,
    );
    return `<Origin><Id>${escapeXml(originId)}</Id><DomainName>local</DomainName><CustomHeaders><Quantity>${items.length}</Quantity><Items>${items.join('')}</Items></CustomHeaders></Origin>`;
  });
  const config = `<DistributionConfig><CallerReference>local</CallerReference><Origins><Quantity>${origins.length}</Quantity><Items>${origins.join('')}</Items></Origins><Comment></Comment><Enabled>true</Enabled></DistributionConfig>`;
  const answer = xml(
    200,
    `<Distribution><Id>${id}</Id><Status>Deployed</Status>${config}</Distribution>`,
  );
  return { ...answer, headers: { ...answer.headers, etag: etagOf(headers) } };
}

function originHeaders(body: string): OriginHeaders {
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
