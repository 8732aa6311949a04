import type { HttpRequest } from '../http/http.ts';

/** Headers that only CloudFront may set; those of a client are dropped. */
export const CLOUDFRONT_PREFIX = 'cloudfront-';

/**
 * The `CloudFront-*` headers that the local edge sets. Geographic headers have no value: CloudFront
 * omits them for an address without a known location, such as 127.0.0.1.
 */
const HEADER_VALUES: Record<string, (request: HttpRequest) => string | undefined> = {
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

/** Whether a policy may list this header: any viewer header, and the `CloudFront-*` headers above. */
export function isSupportedHeader(name: string): boolean {
  return !name.startsWith(CLOUDFRONT_PREFIX) || Object.hasOwn(HEADER_VALUES, name);
}

/** The request with the `CloudFront-*` headers of the policies in place of those of the client. */
export function withCloudFrontHeaders(request: HttpRequest, listed: Iterable<string>): HttpRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !name.startsWith(CLOUDFRONT_PREFIX)),
  );
  for (const name of listed) {
    const value = HEADER_VALUES[name]?.(request);
    if (value !== undefined) headers[name] = value;
  }
  return { ...request, headers };
}
