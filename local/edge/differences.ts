/**
 * Behaviour of CloudFront that its documentation leaves open, in the way that Slipway does not expect:
 *
 * - `signature-after-function`: a signed URL is checked as the viewer-request function rewrote it.
 * - `no-short-ranges`: a 206 with fewer bytes than requested is a failure of the origin.
 */
export const edgeDifferences = ['signature-after-function', 'no-short-ranges'] as const;
export type EdgeDifference = (typeof edgeDifferences)[number];
