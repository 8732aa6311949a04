/**
 * Runs at the edge before the cache, for every visitor request (CloudFront Functions, at most 10 kB).
 *
 * Headers of ours that a client sent are deleted first: they are part of the cache key and the gate
 * believes them.
 */
function handler(event) {
  var request = event.request;
  if (!isAllowed(request.method, request.uri)) return refused();
  var headers = request.headers;
  for (var name in headers) {
    if (name.indexOf('x-slipway-') === 0) delete headers[name];
  }
  headers['x-slipway-host'] = { value: hostOf(headers) };
  // As sent, still percent-encoded: a function URL decodes its path, and %2f would become a slash.
  headers['x-slipway-path'] = { value: request.uri };
  headers['x-slipway-access'] = { value: accessOf(request.cookies) };
  // The S3 origin has the path /content, so /_slipway/media/<rest> becomes the key content/<rest>.
  if (request.uri.indexOf('/_slipway/media/') === 0) {
    request.uri = request.uri.slice('/_slipway/media'.length);
  }
  return request;
}

function isAllowed(method, uri) {
  if (method === 'GET' || method === 'HEAD') return true;
  if (method !== 'POST' || uri.indexOf('/_slipway/') !== 0) return false;
  return uri.indexOf('/_slipway/media/') !== 0;
}

function hostOf(headers) {
  var host = headers.host ? headers.host.value : '';
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

/** Anything but a token of ours counts as none, so that junk cookies share one cache entry. */
function accessOf(cookies) {
  var cookie = cookies && cookies['__Host-slipway-access'];
  var value = cookie ? cookie.value : '';
  return /^[A-Za-z0-9._~-]{1,512}$/.test(value) ? value : '-';
}

function refused() {
  return {
    statusCode: 405,
    statusDescription: 'Method Not Allowed',
    headers: {
      allow: { value: 'GET, HEAD' },
      'cache-control': { value: 'no-store' },
      'content-type': { value: 'application/json' },
    },
    body: {
      encoding: 'text',
      data: JSON.stringify({
        status: 'error',
        error: 'Published pages can only be read.',
        code: 'METHOD_NOT_ALLOWED',
        nextStep: 'Use GET or HEAD.',
      }),
    },
  };
}
