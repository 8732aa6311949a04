/**
 * Runs at the edge before the cache, for every visitor request (CloudFront Functions, at most 10 kB).
 *
 * Headers of ours that a client sent are deleted first: they are part of the cache key, and the gate
 * and the API believe them.
 */
function handler(event) {
  var request = event.request;
  var headers = request.headers;
  if (!isAllowed(request.method, request.uri)) return refused();
  if (isTooLarge(headers['content-length'])) return tooLarge();
  for (var name in headers) {
    if (name.indexOf('x-slipway-') === 0) delete headers[name];
  }
  headers['x-slipway-host'] = { value: hostOf(headers) };
  // As sent, still percent-encoded: a function URL decodes its path, and %2f would become a slash.
  headers['x-slipway-path'] = { value: request.uri };
  headers['x-slipway-access'] = { value: accessOf(request.cookies) };
  headers['x-slipway-preview'] = { value: previewOf(request.cookies) };
  headers['x-slipway-cleared'] = { value: clearedOf(request.cookies) };
  // Any site may set cookies for all sites, of 10 kB and more, which API Gateway would not take.
  request.cookies = {};
  headers['x-slipway-worker'] = { value: workerOf(headers) };
  // From here on in no cache key.
  headers['x-slipway-query'] = { value: queryOf(request.querystring) };
  headers['x-slipway-fetch'] = { value: fetchOf(request.method, headers) };
  headers['x-slipway-viewer'] = { value: event.viewer.ip };
  // The S3 origin has the path /content, so /_slipway/media/<rest> becomes the key content/<rest>.
  if (request.uri.indexOf('/_slipway/media/') === 0) {
    request.uri = request.uri.slice('/_slipway/media'.length);
  }
  return request;
}

function isAllowed(method, uri) {
  if (method === 'GET' || method === 'HEAD') return true;
  if (method !== 'POST' || uri.indexOf('/_slipway/') !== 0) return false;
  return !/^\/_slipway\/(media\/|zip$|zip\/)/.test(uri);
}

function hostOf(headers) {
  var host = headers.host ? headers.host.value : '';
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

/** Anything but a token of ours counts as none, so that junk cookies share one cache entry. */
function accessOf(cookies) {
  var shape = /^[0-9a-f-]{36}\.[vo]\.[A-Za-z0-9_-]{1,16}\.[0-9]{10}\.[A-Za-z0-9_-]{43}$/;
  return matching(cookies, '__Host-slipway-access', shape);
}

/** Project, version, end and signature; whether they are true is for the gate to say. */
function previewOf(cookies) {
  var shape = /^[0-9a-f-]{36}\.[1-9][0-9]{0,8}\.[0-9]{10}\.[A-Za-z0-9_-]{43}$/;
  return matching(cookies, '__Host-slipway-preview', shape);
}

/** The mark of a browser that was cleared of what a former site left at this address. */
function clearedOf(cookies) {
  return matching(cookies, '__Host-slipway-cleared', /^[A-Za-z0-9_-]{43}$/);
}

/** `script` where a browser asks for the script of a service worker (Service Workers, "Update"). */
function workerOf(headers) {
  var asked = headers['service-worker'];
  return asked && asked.value === 'script' ? 'script' : '-';
}

/** The first value of this shape; others of the same name are not ours. */
function matching(cookies, name, shape) {
  var cookie = cookies && cookies[name];
  if (!cookie) return '-';
  var values = cookie.multiValue || [cookie];
  for (var i = 0; i < values.length; i++) {
    if (shape.test(values[i].value)) return values[i].value;
  }
  return '-';
}

/** The query as it was sent, for redirects that keep it; `-` for none, and for one longer than is of use. */
function queryOf(querystring) {
  var pairs = [];
  for (var name in querystring) {
    var values = querystring[name].multiValue || [querystring[name]];
    for (var i = 0; i < values.length; i++) pairs.push(name + '=' + values[i].value);
  }
  var query = pairs.join('&');
  return query === '' || query.length > 2048 ? '-' : query;
}

/**
 * What the browser says the request is for: `mode,dest,site,purpose`, each of its own few words. The
 * edge may ask for a whole page where a visitor wanted a part or its headers: that is no purpose to count.
 */
function fetchOf(method, headers) {
  var names = ['sec-fetch-mode', 'sec-fetch-dest', 'sec-fetch-site', 'sec-purpose'];
  var words = names.map(function (name) {
    var value =
      headers[name] || (name === 'sec-purpose' && (headers['purpose'] || headers['x-moz']));
    return value && /^[a-z;=? -]{1,40}$/.test(value.value) ? value.value : '';
  });
  if (method === 'HEAD' || headers.range) words[3] = 'part';
  return words.join(',');
}

/** Forms of ours are small; API Gateway answers more than 10 MB in words of its own. */
function isTooLarge(length) {
  return length !== undefined && Number(length.value) > 65536;
}

function refused() {
  var answer = refusal(405, 'Method Not Allowed', {
    status: 'error',
    error: 'Published pages can only be read.',
    code: 'METHOD_NOT_ALLOWED',
    nextStep: 'Use GET or HEAD.',
  });
  answer.headers.allow = { value: 'GET, HEAD' };
  return answer;
}

function tooLarge() {
  return refusal(413, 'Content Too Large', {
    status: 'error',
    error: 'The request is larger than 64 kB.',
    code: 'PAYLOAD_TOO_LARGE',
    nextStep: 'Send less. Nothing was kept.',
  });
}

function refusal(statusCode, statusDescription, body) {
  return {
    statusCode: statusCode,
    statusDescription: statusDescription,
    headers: {
      'cache-control': { value: 'no-store' },
      'content-type': { value: 'application/json' },
    },
    body: { encoding: 'text', data: JSON.stringify(body) },
  };
}
