import * as z from 'zod';
import type { HttpRequest } from '../http/http.ts';
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
  ReferrerPolicy: z.strictObject({ ReferrerPolicy: z.string(), Override: override }).optional(),
  StrictTransportSecurity: z
    .strictObject({
      AccessControlMaxAgeSec: z.int(),
      IncludeSubdomains: z.literal(false).optional(),
      Preload: z.literal(false).optional(),
      Override: override,
    })
    .optional(),
});

/** For every origin, and never with credentials. Functions answer preflights. */
const Cors = z.strictObject({
  AccessControlAllowCredentials: z.literal(false),
  AccessControlAllowHeaders: items,
  AccessControlAllowMethods: z.strictObject({ Items: z.array(z.enum(['GET', 'HEAD'])) }),
  AccessControlAllowOrigins: z.strictObject({ Items: z.tuple([z.literal('*')]) }),
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
    const cors =
      config.CorsConfig === undefined || request.headers['origin'] === undefined
        ? []
        : [
            {
              name: 'access-control-allow-origin',
              value: '*',
              override: config.CorsConfig.OriginOverride,
            },
          ];
    for (const { name, value, override } of [...cors, ...fixed]) {
      if (override || kept[name] === undefined) kept[name] = value;
    }
    return kept;
  };
}

function securityHeaders(config: z.output<typeof Security>): AddedHeader[] {
  const hsts = config.StrictTransportSecurity;
  const candidates: [string, string | undefined, { Override: boolean } | undefined][] = [
    [
      'content-security-policy',
      config.ContentSecurityPolicy?.ContentSecurityPolicy,
      config.ContentSecurityPolicy,
    ],
    ['x-content-type-options', 'nosniff', config.ContentTypeOptions],
    ['referrer-policy', config.ReferrerPolicy?.ReferrerPolicy, config.ReferrerPolicy],
    ['strict-transport-security', hsts && `max-age=${hsts.AccessControlMaxAgeSec}`, hsts],
  ];
  return candidates.flatMap(([name, value, part]) =>
    value === undefined || part === undefined ? [] : [{ name, value, override: part.Override }],
  );
}
