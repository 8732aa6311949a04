/**
 * The fields of CloudFront's log. No address of a request and no header of a client: paths and queries
 * hold tokens. No IP address and no user agent either: visitors are counted anonymously.
 */
export const requestLogFields = [
  'date',
  'time',
  'x-edge-request-id',
  'x-edge-location',
  'x-host-header',
  'cs-method',
  'cs-protocol',
  'cs-protocol-version',
  'cs-bytes',
  'sc-status',
  'sc-bytes',
  'sc-content-type',
  'sc-content-len',
  'time-taken',
  'time-to-first-byte',
  'x-edge-result-type',
  'x-edge-response-result-type',
  'x-edge-detailed-result-type',
  'ssl-protocol',
] as const;
