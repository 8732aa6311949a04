import { escapeXml, unescapeXml } from '../http/service-server.ts';
import type { Tag } from '../acm/certificate.ts';
import { type CustomerTenant, isDeployed, tenantArn } from './customer-tenant.ts';

/** The text of the first element of this name; undefined if there is none. */
function elementText(body: string, name: string): string | undefined {
  const text = new RegExp(`<${name}(?: [^>]*)?>(.*?)</${name}>`, 's').exec(body)?.[1];
  return text === undefined ? undefined : unescapeXml(text);
}

/** Elements of this name, each with the `Value` behind it. */
function pairs(xml: string | undefined, name: string): [string, string][] {
  const pattern = new RegExp(`<${name}>([^<]*)</${name}>\\s*<Value>([^<]*)</Value>`, 'g');
  return [...(xml ?? '').matchAll(pattern)].map(([, one = '', other = '']) => [
    unescapeXml(one),
    unescapeXml(other),
  ]);
}

/** The inside of an element, still XML. */
function inside(body: string, name: string): string | undefined {
  return new RegExp(`<${name}(?: [^>]*)?>(.*?)</${name}>`, 's').exec(body)?.[1];
}

/** The fields of a request that creates or changes a tenant; those that were not sent are undefined. */
export function tenantFields(body: string) {
  const domains = inside(body, 'Domains');
  const parameters = inside(body, 'Parameters');
  const certificate = inside(inside(body, 'Customizations') ?? '', 'Certificate');
  const enabled = elementText(body, 'Enabled');
  const withoutParameters = body.replace(/<(Parameters|Tags)(?: [^>]*)?>.*?<\/\1>/gs, '');
  return {
    name: elementText(withoutParameters, 'Name'),
    distributionId: elementText(body, 'DistributionId'),
    connectionGroupId: elementText(body, 'ConnectionGroupId'),
    domains:
      domains === undefined
        ? undefined
        : [...domains.matchAll(/<Domain>([^<]*)<\/Domain>/g)].map(([, name = '']) =>
            unescapeXml(name).toLowerCase(),
          ),
    parameters:
      parameters === undefined
        ? undefined
        : pairs(parameters, 'Name').map(([name, value]) => ({ name, value })),
    certificateArn: certificate === undefined ? undefined : elementText(certificate, 'Arn'),
    enabled: enabled === undefined ? undefined : enabled === 'true',
    tags: pairs(inside(body, 'Tags'), 'Key').map(([Key, Value]): Tag => ({ Key, Value })),
    isManaged: body.includes('<ManagedCertificateRequest>'),
  };
}

function element(name: string, value: string | undefined): string {
  return value === undefined ? '' : `<${name}>${escapeXml(value)}</${name}>`;
}

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** A tenant as answers describe it. */
export function tenantXml(tenant: CustomerTenant, now: number): string {
  const { config } = tenant;
  const status = config.enabled && isDeployed(tenant, now) ? 'active' : 'inactive';
  const domains = config.domains.map(
    (domain) => `<member>${element('Domain', domain)}${element('Status', status)}</member>`,
  );
  const parameters = config.parameters.map(
    ({ name, value }) => `<member>${element('Name', name)}${element('Value', value)}</member>`,
  );
  const tags = tenant.tags.map(
    ({ Key, Value }) => `<Tag>${element('Key', Key)}${element('Value', Value)}</Tag>`,
  );
  const customizations =
    config.certificateArn === undefined
      ? ''
      : `<Customizations><Certificate>${element('Arn', config.certificateArn)}</Certificate></Customizations>`;
  return [
    '<DistributionTenant>',
    element('Id', tenant.id),
    element('DistributionId', config.distributionId),
    element('Name', tenant.name),
    element('Arn', tenantArn(tenant.id)),
    `<Domains>${domains.join('')}</Domains>`,
    ...(tags.length > 0 ? [`<Tags><Items>${tags.join('')}</Items></Tags>`] : []),
    customizations,
    ...(parameters.length > 0 ? [`<Parameters>${parameters.join('')}</Parameters>`] : []),
    element('ConnectionGroupId', config.connectionGroupId),
    element('CreatedTime', instant(tenant.createdAt)),
    element('LastModifiedTime', instant(tenant.changedAt)),
    element('Enabled', String(config.enabled)),
    element('Status', isDeployed(tenant, now) ? 'Deployed' : 'InProgress'),
    '</DistributionTenant>',
  ].join('');
}
