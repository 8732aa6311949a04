/* global cf, commonHeaders, formMethods, frontPage -- added by viewer-request-code.ts */
/**
 * Runs at the edge before the cache, for every visitor request (CloudFront Functions, at most 10 kB).
 *
 * Deletes every `x-slipway-*` header that a client sent: these headers are part of the cache key, and
 * the gate and the API trust them.
 */
function handler(event) {
  var request = event.request;
  var headers = request.headers;
  if (isPreflight(request)) return preflight(headers['access-control-request-headers']);
  if (!isAllowed(request)) return refused(request.uri);
  if (isTooLarge(headers['content-length'])) return tooLarge();
  if (hostOf(headers) === frontPage.sitesHost) return toFrontPage();
  for (var name in headers) {
    if (name.indexOf('x-slipway-') === 0) delete headers[name];
  }
  headers['x-slipway-host'] = { value: hostOf(headers) };
  headers['x-slipway-domain'] = { value: domainOf() };
  // Still percent-encoded: the functions get the path only here.
  headers['x-slipway-path'] = { value: request.uri };
  var cookies = isForNeighbour(headers) ? {} : request.cookies;
  headers['x-slipway-access'] = { value: accessOf(cookies) };
  headers['x-slipway-preview'] = { value: previewOf(cookies) };
  headers['x-slipway-cleared'] = { value: clearedOf(request.cookies) };
  // Any site may set cookies of 10 kB and more for all sites, and API Gateway would refuse them.
  request.cookies = {};
  headers['x-slipway-worker'] = { value: workerOf(headers) };
  headers['x-slipway-view'] = { value: viewOf(headers) };
  // CloudFront signs this header as the hash of the body: a wrong value would make its signature
  // invalid.
  delete headers['x-amz-content-sha256'];
  // The headers from here on are not part of the cache key.
  headers['x-slipway-query'] = { value: queryOf(request.querystring) };
  headers['x-slipway-fetch'] = { value: fetchOf(request.method, headers) };
  headers['x-slipway-viewer'] = { value: event.viewer.ip };
  headers['x-slipway-wants'] = { value: wantsOf(request.method, headers) };
  var path = normalized(request.uri);
  var originId = functionOf(path);
  if (originId === undefined) return request;
  var stored = storedObject(request.uri, path);
  // CloudFront signs the path, and a function URL computes another signature for most characters.
  request.uri = stored === undefined ? '/' : stored;
  if (stored !== undefined) leaveToStorage(originId);
  return request;
}

/**
 * The key of the object that an address names, below the path of the S3 origin. Only where the function reads
 * the same address: it gets the path as it was sent.
 */
function storedObject(uri, path) {
  var shape =
    /^\/_slipway\/(?:files|isolated|download)(\/[0-9a-f-]{36}\/[0-9a-f]{1,16}\/[0-9a-f]{32}(?:\.br)?)\//;
  var match = shape.exec(uri);
  return match && path.indexOf(match[0]) === 0 ? match[1] : undefined;
}

/**
 * The function decides about the object, and 416 is its word for "storage may send it"; Lambda never answers so.
 * Without 503 and 504 in the list, CloudFront does not ask storage when the function cannot be reached.
 */
function leaveToStorage(originId) {
  cf.createRequestOriginGroup({
    originIds: [{ originId: originId }, { originId: 'storage' }],
    failoverCriteria: { statusCodes: [416] },
  });
}

/**
 * The path by which CloudFront chose the behavior: without encoded letters and digits, dot segments and
 * empty segments. A function gets it as the visitor sent it ("Cache behavior settings", path pattern).
 */
function normalized(uri) {
  if (!/%|\/\.|\/\//.test(uri)) return uri;
  var unreserved = /%(?:2[DE]|3\d|[46][1-9A-F]|5[\dAF]|7[\dAE])/gi;
  var segments = uri.replace(unreserved, decodeURIComponent).split('/');
  // No page of ours has so many; the gate answers 404.
  if (segments.length > 200) return uri;
  var kept = [];
  for (var i = 1; i < segments.length; i++) {
    var isLast = i === segments.length - 1;
    if (segments[i] === '..') kept.pop();
    else if (segments[i] !== '.' && (segments[i] !== '' || isLast)) kept.push(segments[i]);
  }
  return '/' + kept.join('/');
}

/** The id of the origin that is a function; undefined for the API, whose gateway answers for its functions. */
function functionOf(uri) {
  if (/^\/_slipway\/(download\/|own\/|zip(\/|$))/.test(uri)) return 'streams';
  if (uri.indexOf('/_slipway/assets/') === 0) return 'assets';
  if (/^\/_slipway\/(seen$|files\/|isolated\/)/.test(uri)) return 'gate';
  return uri.indexOf('/_slipway/') === 0 ? undefined : 'gate';
}

function isAllowed(request) {
  var method = request.method;
  // The function of a form that has no GET answers with a page.
  if (method === 'GET' || method === 'HEAD') return true;
  return methodsOf(request.uri).split(', ').indexOf(method) !== -1;
}

/** A browser asks before a request of a page of another origin (Fetch, "CORS-preflight request"). Forms have none. */
function isPreflight(request) {
  return (
    request.method === 'OPTIONS' &&
    request.headers['access-control-request-method'] !== undefined &&
    functionOf(normalized(request.uri)) === 'gate'
  );
}

/**
 * What the gate serves can only be read, so every header of a request is harmless. Whether a page may read the answer,
 * the answer itself says, by the rules of the site. The names are repeated because `*` leaves out `Authorization` (Fetch).
 */
function preflight(names) {
  return {
    statusCode: 204,
    statusDescription: 'No Content',
    headers: Object.assign({}, commonHeaders, {
      'access-control-allow-origin': { value: '*' },
      'access-control-allow-methods': { value: 'GET, HEAD' },
      'access-control-allow-headers': { value: names === undefined ? '*' : names.value },
      'access-control-max-age': { value: '600' },
      'cache-control': { value: 'no-store' },
    }),
  };
}

/** The methods of `Allow`. Published pages can only be read. */
function methodsOf(uri) {
  return Object.prototype.hasOwnProperty.call(formMethods, uri) ? formMethods[uri] : 'GET, HEAD';
}

/** No site has the bare domain of all sites. Whoever shortens the address of one gets to the app. */
function toFrontPage() {
  return {
    statusCode: 302,
    statusDescription: 'Found',
    headers: Object.assign({}, commonHeaders, {
      'cache-control': { value: 'max-age=300' },
      location: { value: frontPage.url },
    }),
  };
}

/** The id of the tenant's custom domain; `-` for none. */
function domainOf() {
  try {
    var id = cf.distributionTenant.parameters.get('domainId');
    return /^[0-9a-f-]{36}$/.test(id) ? id : '-';
  } catch (_) {
    return '-';
  }
}

function hostOf(headers) {
  var host = headers.host ? headers.host.value : '';
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

/**
 * Whether a page of another host of this domain loads or frames the address. Browsers take all of them for one site,
 * so they send its cookies along, which sites elsewhere would not get (RFC 6265bis, section 5.2), also where a redirect
 * led through a site elsewhere. Names beneath a custom domain may belong to several accounts too.
 */
function isForNeighbour(headers) {
  var site = headers['sec-fetch-site'];
  var dest = headers['sec-fetch-dest'];
  if (!site || site.value === 'same-origin' || site.value === 'none') return false;
  if (!dest || dest.value === 'document') return !dest;
  // What somebody opens by a link, through the service worker of the site itself.
  var mode = headers['sec-fetch-mode'];
  return dest.value !== 'empty' || !mode || mode.value !== 'navigate';
}

/** A cookie of any other shape counts as none, so that invalid cookies share one cache entry. */
function accessOf(cookies) {
  var shape = /^[0-9a-f-]{36}\.[vpos]\.[A-Za-z0-9_-]{1,28}\.[0-9]{10}\.[A-Za-z0-9_-]{43}$/;
  return matching(cookies, '__Host-slipway-access', shape);
}

/** Project, version, since when the live version must be live, expiry and signature. The gate verifies them. */
function previewOf(cookies) {
  var shape = /^[0-9a-f-]{36}\.[1-9][0-9]{0,8}(~[1-9][0-9]{0,13})?\.[0-9]{10}\.[A-Za-z0-9_-]{43}$/;
  return matching(cookies, '__Host-slipway-preview', shape);
}

/** The cookie of a browser whose data of a former site at this address was cleared. */
function clearedOf(cookies) {
  return matching(cookies, '__Host-slipway-cleared', /^[A-Za-z0-9_-]{43}$/);
}

/** `script` when a browser requests the script of a service worker (Service Workers, "Update"). */
function workerOf(headers) {
  var header = headers['service-worker'];
  return header && header.value === 'script' ? 'script' : '-';
}

/**
 * `page` when somebody opens the address, or may do so; `data` when a script or a page loads it. A browser
 * without fetch metadata shows a script by what it sends: no navigation of a GET has these headers.
 */
function viewOf(headers) {
  var mode = headers['sec-fetch-mode'];
  if (mode) return mode.value === 'navigate' ? 'page' : 'data';
  var accept = headers.accept ? headers.accept.value : '';
  var isLoaded = ['sec-fetch-dest', 'service-worker', 'x-requested-with', 'origin'].some(
    function (name) {
      return headers[name];
    },
  );
  return isLoaded || (accept !== '' && !/text\/(html|\*)|xhtml|\*\/\*/i.test(accept))
    ? 'data'
    : 'page';
}

/** The first value of this shape. Published pages may have set others of the same name. */
function matching(cookies, name, shape) {
  var cookie = cookies && cookies[name];
  if (!cookie) return '-';
  var values = cookie.multiValue || [cookie];
  for (var i = 0; i < values.length; i++) {
    if (shape.test(values[i].value)) return values[i].value;
  }
  return '-';
}

/** The query as it was sent, for redirects that keep it; `-` for none and for more than 2,048 characters. */
function queryOf(querystring) {
  var query = '';
  for (var name in querystring) {
    var values = querystring[name].multiValue || [querystring[name]];
    for (var i = 0; i < values.length; i++) {
      query += (query === '' ? '' : '&') + name + '=' + values[i].value;
      if (query.length > 2048) return '-';
    }
  }
  return query === '' ? '-' : query;
}

/**
 * The browser's fetch metadata as `mode,dest,site,purpose`. For a range or
 * a HEAD, the edge may request a whole page: the purpose `part` keeps it from being counted.
 */
function fetchOf(method, headers) {
  var names = ['sec-fetch-mode', 'sec-fetch-dest', 'sec-fetch-site'];
  var words = names.map(function (name) {
    return headers[name] && fetchWord.test(headers[name].value) ? headers[name].value : '';
  });
  words.push(method === 'HEAD' || headers.range ? 'part' : purposeOf(headers));
  return words.join(',');
}

var fetchWord = /^[a-z;=? -]{1,40}$/;

/** The first of a browser's words for its purpose that says that nobody looks at the page yet. */
function purposeOf(headers) {
  var names = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
  for (var i = 0; i < names.length; i++) {
    var words = headers[names[i]] ? headers[names[i]].value.toLowerCase().split(',') : [];
    for (var j = 0; j < words.length; j++) {
      var word = words[j].trim();
      if (fetchWord.test(word) && /prefetch|prerender|preview/.test(word)) return word;
    }
  }
  return '';
}

/**
 * The method, and what the visitor has or wants of a file: to revalidate its copy, the edge replaces these
 * headers by its own. Unusual ones are left out, so that the visitor gets the whole file.
 */
function wantsOf(method, headers) {
  return ['if-none-match', 'range', 'if-range'].reduce(function (wants, name) {
    var header = headers[name];
    if (header && (header.multiValue || !/^[ -~]{0,512}$/.test(header.value))) delete headers[name];
    return wants + ',' + (headers[name] ? encodeURIComponent(headers[name].value) : '');
  }, method);
}

/** Our forms are small. Without this check, API Gateway would answer more than 10 MB with plain text. */
function isTooLarge(length) {
  return length !== undefined && Number(length.value) > 65536;
}

function refused(uri) {
  var methods = methodsOf(uri);
  var answer = refusal(405, 'Method Not Allowed', {
    status: 'error',
    error: 'Published pages can only be read.',
    code: 'METHOD_NOT_ALLOWED',
    nextStep: 'Use one of these methods: ' + methods + '.',
  });
  answer.headers.allow = { value: methods };
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
    headers: Object.assign({}, commonHeaders, {
      'cache-control': { value: 'no-store' },
      'content-type': { value: 'application/json' },
    }),
    body: { encoding: 'text', data: JSON.stringify(body) },
  };
}
