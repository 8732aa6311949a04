import type { HttpRequest } from '../http/http.ts';

/** Headers that only CloudFront may set; whatever a client sends under this prefix is dropped. */
export const CLOUDFRONT_PREFIX = 'cloudfront-';

/**
 * The `CloudFront-*` headers that the local edge makes, and how. Geographic ones are absent: CloudFront
 * leaves them out for an address that it cannot place, and 127.0.0.1 is such an address.
 */
const makers: Record<string, (request: HttpRequest) => string | undefined> = {
  'cloudfront-viewer-address': ({ viewer }) => `${viewer.address}:${viewer.port}`,
  'cloudfront-forwarded-proto': () => 'http',
  'cloudfront-viewer-country': () => undefined,
  'cloudfront-viewer-country-name': () => undefined,
  'cloudfront-viewer-country-region': () => undefined,
  'cloudfront-viewer-country-region-name': () => undefined,
  'cloudfront-viewer-city': () => undefined,
  'cloudfront-viewer-postal-code': () => undefined,
  'cloudfront-viewer-time-zone': () => undefined,
  'cloudfront-viewer-latitude': () => undefined,
  'cloudfront-viewer-longitude': () => undefined,
  'cloudfront-viewer-metro-code': () => undefined,
  'cloudfront-viewer-asn': () => undefined,
};

/** Whether a policy may list this header: any viewer header, and those `CloudFront-*` ones that are made here. */
export function isSupportedHeader(name: string): boolean {
  return !name.startsWith(CLOUDFRONT_PREFIX) || Object.hasOwn(makers, name);
}

/** The request without client-sent `CloudFront-*` headers and with those that the policies list. */
export function withCloudFrontHeaders(request: HttpRequest, listed: Iterable<string>): HttpRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !name.startsWith(CLOUDFRONT_PREFIX)),
  );
  for (const name of listed) {
    const value = makers[name]?.(request);
    if (value !== undefined) headers[name] = value;
  }
  return { ...request, headers };
}
