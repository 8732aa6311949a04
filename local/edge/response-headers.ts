import * as z from 'zod';
import type { HttpRequest } from '../http/http.ts';
import { matchesWildcard } from '../iam/policy.ts';
import { type Resource, ignored, parseProperties } from '../assembly/resource.ts';

type Headers = Record<string, string | string[]>;

/** Adds and removes headers of the response to the viewer, for hits and misses. */
export type ResponseHeadersPolicy = (headers: Headers, request: HttpRequest) => Headers;

const items = z.strictObject({ Items: z.array(z.string()) });
const override = z.boolean();

const Security = z.strictObject({
  ContentSecurityPolicy: z
    .strictObject({ ContentSecurityPolicy: z.string(), Override: override })
    .optional(),
  ContentTypeOptions: z.strictObject({ Override: override }).optional(),
  FrameOptions: z.strictObject({ FrameOption: z.string(), Override: override }).optional(),
  ReferrerPolicy: z.strictObject({ ReferrerPolicy: z.string(), Override: override }).optional(),
  StrictTransportSecurity: z
    .strictObject({
      AccessControlMaxAgeSec: z.int(),
      IncludeSubdomains: z.boolean().default(false),
      Preload: z.boolean().default(false),
      Override: override,
    })
    .optional(),
  XSSProtection: z
    .strictObject({
      Protection: z.boolean(),
      ModeBlock: z.boolean().default(false),
      ReportUri: z.string().optional(),
      Override: override,
    })
    .optional(),
});

const Cors = z.strictObject({
  AccessControlAllowCredentials: z.boolean(),
  AccessControlAllowHeaders: items,
  AccessControlAllowMethods: items,
  AccessControlAllowOrigins: items,
  AccessControlExposeHeaders: items.default({ Items: [] }),
  AccessControlMaxAgeSec: z.int().optional(),
  OriginOverride: z.boolean(),
});

const Properties = z.strictObject({
  ResponseHeadersPolicyConfig: z.strictObject({
    Name: ignored,
    Comment: ignored,
    SecurityHeadersConfig: Security.default({}),
    CorsConfig: Cors.optional(),
    CustomHeadersConfig: z
      .strictObject({
        Items: z.array(
          z.strictObject({ Header: z.string(), Value: z.string(), Override: override }),
        ),
      })
      .default({ Items: [] }),
    RemoveHeadersConfig: z
      .strictObject({ Items: z.array(z.strictObject({ Header: z.string() })) })
      .default({ Items: [] }),
  }),
});

interface AddedHeader {
  name: string;
  value: string;
  override: boolean;
}

/** Parses an `AWS::CloudFront::ResponseHeadersPolicy`. */
export function responseHeadersPolicy(resource: Resource): ResponseHeadersPolicy {
  const config = parseProperties(resource, Properties).ResponseHeadersPolicyConfig;
  const removed = new Set(
    config.RemoveHeadersConfig.Items.map(({ Header }) => Header.toLowerCase()),
  );
  const fixed = [
    ...securityHeaders(config.SecurityHeadersConfig),
    ...config.CustomHeadersConfig.Items.map(({ Header, Value, Override }) => ({
      name: Header.toLowerCase(),
      value: Value,
      override: Override,
    })),
  ];
  return (headers, request) => {
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !removed.has(name)));
    const cors = config.CorsConfig === undefined ? [] : corsHeaders(config.CorsConfig, request);
    for (const { name, value, override } of [...cors, ...fixed]) {
      if (override || kept[name] === undefined) kept[name] = value;
    }
    return kept;
  };
}

function securityHeaders(config: z.output<typeof Security>): AddedHeader[] {
  const hsts = config.StrictTransportSecurity;
  const xss = config.XSSProtection;
  const candidates: [string, string | undefined, { Override: boolean } | undefined][] = [
    [
      'content-security-policy',
      config.ContentSecurityPolicy?.ContentSecurityPolicy,
      config.ContentSecurityPolicy,
    ],
    ['x-content-type-options', 'nosniff', config.ContentTypeOptions],
    ['x-frame-options', config.FrameOptions?.FrameOption, config.FrameOptions],
    ['referrer-policy', config.ReferrerPolicy?.ReferrerPolicy, config.ReferrerPolicy],
    ['strict-transport-security', hsts === undefined ? undefined : hstsValue(hsts), hsts],
    ['x-xss-protection', xss === undefined ? undefined : xssValue(xss), xss],
  ];
  return candidates.flatMap(([name, value, part]) =>
    value === undefined || part === undefined ? [] : [{ name, value, override: part.Override }],
  );
}

function hstsValue(config: {
  AccessControlMaxAgeSec: number;
  IncludeSubdomains: boolean;
  Preload: boolean;
}): string {
  const subdomains = config.IncludeSubdomains ? '; includeSubDomains' : '';
  return `max-age=${config.AccessControlMaxAgeSec}${subdomains}${config.Preload ? '; preload' : ''}`;
}

function xssValue(config: {
  Protection: boolean;
  ModeBlock: boolean;
  ReportUri?: string | undefined;
}): string {
  if (!config.Protection) return '0';
  const block = config.ModeBlock ? '; mode=block' : '';
  return `1${block}${config.ReportUri === undefined ? '' : `; report=${config.ReportUri}`}`;
}

/** Empty without an Origin header, and for an origin that is not allowed. */
function corsHeaders(config: z.output<typeof Cors>, request: HttpRequest): AddedHeader[] {
  const origin = request.headers['origin'];
  if (origin === undefined) return [];
  const allowed = config.AccessControlAllowOrigins.Items;
  const anyOrigin = allowed.includes('*');
  const bare = origin.replace(/^https?:\/\//, '');
  const matches = (pattern: string) =>
    matchesWildcard(pattern, pattern.includes('://') ? origin : bare);
  if (!anyOrigin && !allowed.some(matches)) return [];
  const isPreflight =
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  const methods = config.AccessControlAllowMethods.Items;
  const values: Record<string, string | undefined> = {
    'access-control-allow-origin':
      anyOrigin && !config.AccessControlAllowCredentials ? '*' : origin,
    'access-control-allow-credentials': config.AccessControlAllowCredentials ? 'true' : undefined,
    vary: anyOrigin ? undefined : 'Origin',
    ...(isPreflight
      ? {
          'access-control-allow-methods': methods.includes('ALL')
            ? 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'
            : methods.join(', '),
          'access-control-allow-headers': config.AccessControlAllowHeaders.Items.join(', '),
          'access-control-max-age': config.AccessControlMaxAgeSec?.toString(),
        }
      : { 'access-control-expose-headers': config.AccessControlExposeHeaders.Items.join(', ') }),
  };
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === ''
      ? []
      : [{ name, value, override: config.OriginOverride && name !== 'vary' }],
  );
}
