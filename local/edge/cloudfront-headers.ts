import type { HttpRequest } from '../http/http.ts';

/** Headers that only CloudFront may set. */
const CLOUDFRONT_PREFIX = 'cloudfront-';

/**
 * Whether a policy may list this header: any viewer header, and the visitor's country, which CloudFront omits for
 * an address without a known location, such as 127.0.0.1.
 */
export function isSupportedHeader(name: string): boolean {
  return !name.startsWith(CLOUDFRONT_PREFIX) || name === 'cloudfront-viewer-country';
}

/** The request without headers that only CloudFront may set. */
export function withoutCloudFrontHeaders(request: HttpRequest): HttpRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !name.startsWith(CLOUDFRONT_PREFIX)),
  );
  return { ...request, headers };
}
