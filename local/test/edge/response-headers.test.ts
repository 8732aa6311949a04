import { describe, expect, test } from '@jest/globals';
import { responseHeadersPolicy } from '../../edge/response-headers.ts';
import { aRequest, aResource } from './edge-fixture.ts';

describe('response headers policy', () => {
  const policy = (config: Record<string, unknown>) =>
    responseHeadersPolicy(
      aResource('ResponseHeadersPolicy', 'R', {
        ResponseHeadersPolicyConfig: { Name: 'r', ...config },
      }),
    );
  const cors = (origins: string[], more: Record<string, unknown> = {}) =>
    policy({
      CorsConfig: {
        AccessControlAllowCredentials: false,
        AccessControlAllowHeaders: { Items: ['authorization'] },
        AccessControlAllowMethods: { Items: ['GET', 'POST'] },
        AccessControlAllowOrigins: { Items: origins },
        AccessControlExposeHeaders: { Items: ['x-e'] },
        AccessControlMaxAgeSec: 60,
        OriginOverride: true,
        ...more,
      },
    });

  test('sets security and custom headers, and keeps the origin’s value if override is off', () => {
    const apply = policy({
      SecurityHeadersConfig: {
        StrictTransportSecurity: {
          AccessControlMaxAgeSec: 60,
          IncludeSubdomains: true,
          Preload: true,
          Override: true,
        },
        FrameOptions: { FrameOption: 'DENY', Override: false },
        ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
        ContentSecurityPolicy: { ContentSecurityPolicy: "default-src 'self'", Override: false },
        XSSProtection: { Protection: true, ModeBlock: true, Override: true },
      },
      CustomHeadersConfig: {
        Items: [{ Header: 'X-Robots-Tag', Value: 'noindex', Override: true }],
      },
      RemoveHeadersConfig: { Items: [{ Header: 'Server' }] },
    });
    expect(
      apply(
        { server: 'x', 'x-frame-options': 'SAMEORIGIN', 'referrer-policy': 'origin' },
        aRequest(),
      ),
    ).toEqual({
      'strict-transport-security': 'max-age=60; includeSubDomains; preload',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'self'",
      'x-xss-protection': '1; mode=block',
      'x-robots-tag': 'noindex',
    });
  });

  test.each<[string[], Record<string, string>, string, Record<string, unknown>]>([
    [['*'], {}, 'GET', {}],
    [
      ['*'],
      { origin: 'https://a.test' },
      'GET',
      { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'x-e' },
    ],
    [
      ['https://*.a.test'],
      { origin: 'https://x.a.test' },
      'GET',
      {
        'access-control-allow-origin': 'https://x.a.test',
        vary: 'Origin',
        'access-control-expose-headers': 'x-e',
      },
    ],
    [['a.test'], { origin: 'https://b.test' }, 'GET', {}],
    [
      ['*'],
      { origin: 'https://a.test', 'access-control-request-method': 'POST' },
      'OPTIONS',
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'authorization',
        'access-control-max-age': '60',
      },
    ],
  ])('for origins %p and %p of %p adds %p', (origins, headers, method, expected) => {
    expect(cors(origins)({}, aRequest({ method, headers }))).toEqual(expected);
  });

  test('refuses server timing, which the edge does not measure', () => {
    expect(() => policy({ ServerTimingHeadersConfig: { Enabled: true } })).toThrow(
      'ServerTimingHeadersConfig',
    );
  });
});
