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
  request.uri = withoutSlash(request.uri);
  if (request.uri === '/mcp') nameAsBytes(request);
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

/** Clients add a slash to what they were given, and a redirect would lose what they post. */
function withoutSlash(uri) {
  var end = uri.length;
  while (end > 1 && uri.charAt(end - 1) === '/') end -= 1;
  var bare = uri.slice(0, end);
  return /^\/(mcp$|oauth\/[^/]+$|\.well-known\/.)/.test(bare) ? bare : uri;
}

/**
 * API Gateway hands JSON to a function as text within JSON, where a quote takes two bytes and a
 * control character six: 4 MB of it may be over the 6 MB that Lambda takes. This type it hands on
 * as base64, which is a third longer whatever is in it. A type that is not JSON stays as it is.
 */
function nameAsBytes(request) {
  var type = request.headers['content-type'];
  if (type === undefined || request.method !== 'POST') return;
  var value = type.value.replace(/^\s*application\/json(?=\s*(;|$))/i, 'application/mcp+json');
  request.headers['content-type'] = { value: value };
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
      'access-control-allow-origin': { value: '*' },
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
