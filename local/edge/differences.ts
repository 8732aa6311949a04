/**
 * Behaviour of CloudFront that its documentation leaves open, in the way that Slipway does not expect:
 *
 * - `signature-after-function`: a signed URL is checked as the viewer-request function rewrote it.
 * - `no-short-ranges`: a 206 with fewer bytes than requested is a failure of the origin.
 * - `no-tenant-tags`: an invalidation of a tenant takes paths only, an invalidation of a distribution tags too.
 */
export const edgeDifferences = [
  'signature-after-function',
  'no-short-ranges',
  'no-tenant-tags',
] as const;
export type EdgeDifference = (typeof edgeDifferences)[number];
