/**
 * Runs at the edge for every request to the app and its API (CloudFront Functions).
 *
 * Copies the caller's address into a header of ours; the policy that keeps `Host` from API Gateway
 * cannot add CloudFront's own address header. A header of ours that a client sent is deleted.
 */
// oxlint-disable-next-line no-unused-vars -- CloudFront calls it by this name
function handler(event) {
  var request = event.request;
  if (isTooLarge(request.headers['content-length'])) return tooLarge(event.context.requestId);
  for (var name in request.headers) {
    if (name.indexOf('x-slipway-') === 0) delete request.headers[name];
  }
  if (isPng(request.uri)) request.headers['accept'] = { value: 'image/png' };
  request.headers['x-slipway-viewer'] = { value: event.viewer.ip };
  return request;
}

/**
 * API Gateway gives bytes only to who accepts a binary type first of all; browsers name others
 * before it, and curl names none.
 */
function isPng(uri) {
  return /^\/qr\/[^/]+\.png$/.test(uri);
}

/** API Gateway takes 10 MB and answers more with plain text that no gateway response replaces. */
function isTooLarge(length) {
  return length !== undefined && Number(length.value) > 10485760;
}

function tooLarge(requestId) {
  return {
    statusCode: 413,
    statusDescription: 'Content Too Large',
    headers: {
      'cache-control': { value: 'no-store' },
      'content-type': { value: 'application/json' },
      'x-request-id': { value: requestId },
    },
    body: {
      encoding: 'text',
      data: JSON.stringify({
        status: 'error',
        error: 'The request is larger than 10 MB.',
        code: 'PAYLOAD_TOO_LARGE',
        nextStep:
          'Send less, or use POST /v1/uploads, which takes large files straight to storage. Nothing was kept.',
      }),
    },
  };
}
