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
  const cors = (more: Record<string, unknown> = {}) =>
    policy({
      CorsConfig: {
        AccessControlAllowCredentials: false,
        AccessControlAllowHeaders: { Items: ['*'] },
        AccessControlAllowMethods: { Items: ['GET', 'HEAD'] },
        AccessControlAllowOrigins: { Items: ['*'] },
        OriginOverride: true,
        ...more,
      },
    });

  test('sets security and custom headers, and keeps the origin’s value if override is off', () => {
    const apply = policy({
      SecurityHeadersConfig: {
        StrictTransportSecurity: {
          AccessControlMaxAgeSec: 60,
          Override: true,
        },
        ContentTypeOptions: { Override: true },
        ContentSecurityPolicy: { ContentSecurityPolicy: "default-src 'self'", Override: false },
      },
      CustomHeadersConfig: {
        Items: [{ Header: 'X-Robots-Tag', Value: 'noindex', Override: true }],
      },
      RemoveHeadersConfig: { Items: [{ Header: 'Server' }] },
    });
    expect(
      apply(
        { server: 'x', 'content-security-policy': 'sandbox', 'x-content-type-options': 'x' },
        aRequest(),
      ),
    ).toEqual({
      'strict-transport-security': 'max-age=60',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    });
  });

  test('lets pages of every origin read a response', () => {
    const headers = { origin: 'https://a.test' };
    const allowed = { 'access-control-allow-origin': '*' };
    expect(cors()({}, aRequest({ headers }))).toEqual(allowed);
    expect(cors()({}, aRequest())).toEqual({});
    expect(() => cors({ AccessControlAllowOrigins: { Items: ['a.test'] } })).toThrow('Origins');
  });

  test('refuses server timing, which the edge does not measure', () => {
    expect(() => policy({ ServerTimingHeadersConfig: { Enabled: true } })).toThrow(
      'ServerTimingHeadersConfig',
    );
  });
});
