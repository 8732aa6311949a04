/* global commonHeaders -- added by viewer-request-code.ts */
/**
 * Runs at the edge for every request to the app and its API (CloudFront Functions).
 *
 * Copies the caller's IP address into `x-slipway-viewer`: the origin request policy that withholds
 * `Host` from API Gateway cannot add CloudFront's own header. Deletes every `x-slipway-*` header that
 * a client sent.
 */
// oxlint-disable-next-line no-unused-vars -- CloudFront calls it by this name
function handler(event) {
  var request = event.request;
  if (isLargeCall(request)) return largeCall(event.context.requestId);
  var refused = sizeRefusal(request);
  if (refused !== undefined) return tooLarge(refused, event.context.requestId);
  for (var name in request.headers) {
    if (name.indexOf('x-slipway-') === 0) delete request.headers[name];
  }
  request.uri = withoutSlash(request.uri);
  if (isDashboard.test(request.uri)) return dashboardRequest(request, event.context.requestId);
  if (request.uri === '/mcp') nameAsBytes(request);
  nameFile(request);
  // API Gateway answers 415 to a preflight with a media type other than JSON's.
  if (request.method === 'OPTIONS') delete request.headers['content-type'];
  if (isPng(request.uri)) request.headers['accept'] = { value: 'image/png' };
  if (request.uri === '/cli.tgz') request.headers['accept'] = { value: 'application/octet-stream' };
  if (isDocument.test(request.uri)) acceptBytes(request);
  request.headers['x-slipway-viewer'] = { value: event.viewer.ip };
  return request;
}

var isDashboard = /^\/dashboard(\/|$)/;

/**
 * The web app is static. Every address that is not one of its files shows its page, which reads the
 * address. Files are stored twice, plain and compressed, so the encoding becomes part of the path.
 */
function dashboardRequest(request, requestId) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return request.method === 'OPTIONS' ? optionsOfPage(requestId) : wrongMethod(requestId);
  }
  var isFile = /^\/dashboard\/(assets\/[^/]+|config\.json|pages\.js)$/.test(request.uri);
  var file = isFile ? request.uri : '/dashboard/index.html';
  var accepted = request.headers['accept-encoding'];
  var takesBrotli =
    accepted !== undefined && /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted.value);
  var isText = /\.(js|css|html|svg|txt)$/.test(file);
  request.uri = takesBrotli && isText ? file + '.br' : file;
  return request;
}

var pageMethods = { value: 'GET, HEAD, OPTIONS' };

function optionsOfPage(requestId) {
  var headers = { allow: pageMethods, 'x-request-id': { value: requestId } };
  return {
    statusCode: 204,
    statusDescription: 'No Content',
    headers: Object.assign({}, commonHeaders, headers),
  };
}

function wrongMethod(requestId) {
  var answer = refusal(requestId, {
    status: 405,
    description: 'Method Not Allowed',
    code: 'METHOD_NOT_ALLOWED',
    error: 'This address answers GET and HEAD only.',
    nextStep: 'Open it in a browser. The API is at /v1.',
  });
  answer.headers.allow = pageMethods;
  return answer;
}

/**
 * API Gateway sends bytes only if the first type in `Accept` is binary. Browsers send another type
 * first, and curl sends none.
 */
function isPng(uri) {
  return uri === '/favicon.ico' || uri === '/icon.png' || /^\/qr\/[^/]+\.png$/.test(uri);
}

/**
 * Public documents, the same for everybody: the function compresses them. Addresses of pages with secrets
 * never belong here (decision 0125).
 */
var isDocument = /^\/(connect|openapi\.json|llms(-full)?\.txt|docs(\/.*)?)?$/;

/** The rest of the header stays, because it decides between a page and JSON. */
function acceptBytes(request) {
  if (request.headers['accept-encoding'] === undefined) return;
  var accept = request.headers['accept'];
  var rest = accept === undefined ? '*/*' : accept.value;
  request.headers['accept'] = { value: 'application/octet-stream, ' + rest };
}

/** Some clients append a slash to the URL that they were given. A redirect would lose the body of a POST. */
function withoutSlash(uri) {
  var parts = /^(\/(?:mcp|oauth\/[^/]+|\.well-known\/.*[^/]))\/+$/.exec(uri);
  return parts === null ? uri : parts[1];
}

/**
 * API Gateway passes a JSON body to a function as a JSON string, where a quote takes two bytes and a
 * control character six: a body of 4 MB could exceed Lambda's 6 MB. A body of this binary type is
 * passed as base64, which is always a third longer. Types that are not JSON stay unchanged.
 */
function nameAsBytes(request) {
  var type = request.headers['content-type'];
  if (type === undefined || request.method !== 'POST') return;
  var value = type.value.replace(/^\s*application\/json(?=\s*(;|$))/i, 'application/mcp+json');
  request.headers['content-type'] = { value: value };
}

/**
 * `curl -T FILE LINK/` appends the name of the file to the URL of an upload link. The name moves into
 * a header, because the route ends with the link.
 *
 * Other methods of such a URL get the answer of the link: its preflight, or 405. A DELETE does not,
 * because it would delete the link.
 */
function nameFile(request) {
  var parts = uploadLink.exec(request.uri);
  if (parts === null || request.method === 'DELETE') return;
  var isPut = request.method === 'PUT';
  // JSON is sent to this path with POST: the caller chose the wrong method.
  if (parts[2] === 'uploads' && (!isPut || isJson.test(typeOf(request)))) return;
  request.uri = parts[1];
  if (isPut) nameBody(request, parts[2]);
}

/**
 * A body that is neither a form nor JSON is a file: it gets a binary type, because API Gateway passes
 * other types as text, and its own type moves into a header. A named body is a file of any type.
 */
function nameBody(request, name) {
  var headers = request.headers;
  var type = typeOf(request);
  if (name) headers['x-slipway-file-name'] = { value: name };
  var isNamed = Boolean(name || headers['x-filename'] || headers['content-disposition']);
  if (/^\s*multipart\//i.test(type)) return;
  if (!isNamed && (isJson.test(type) || isForm.test(type))) return;
  if (type !== '') headers['x-slipway-file-type'] = { value: type };
  headers['content-type'] = { value: 'application/octet-stream' };
}

function typeOf(request) {
  var type = request.headers['content-type'];
  return type === undefined ? '' : type.value;
}

var isJson = /^\s*application\/json\s*(;|$)/i;
var isForm = /^\s*application\/x-www-form-urlencoded\s*(;|$)/i;

/** The path of an upload link, and the name of a file after it. A slash too many changes nothing. */
var uploadLink = /^(\/v1\/upload-links\/[^/]+)(?:\/+([^/]*))?$/;

/**
 * Why a body is too large. API Gateway accepts 10 MB and answers larger requests with plain text that
 * cannot be configured. What is sent to an upload link reaches a function as base64, in an event of at
 * most 6 MiB: 4,650,000 bytes leave 90 kB for the rest of the event, which has the headers twice.
 */
function sizeRefusal(request) {
  var length = request.headers['content-length'];
  var bytes = length === undefined ? 0 : Number(length.value);
  if (request.method === 'PUT' && uploadLink.test(request.uri) && bytes > 4650000) {
    return {
      error: 'The request is larger than 4.65 MB.',
      nextStep:
        'Call POST /v1/upload-links/{link}/uploads with the sizes of the files, PUT each file to the signed URL that it returns, then PUT {"uploadId": "..."} to the link as application/json. The link is not used up.',
    };
  }
  // A length that is not a number passes here, and API Gateway refuses it.
  if (!(bytes > 10485760)) return undefined;
  return {
    error: 'The request is larger than 10 MB.',
    nextStep:
      'Send less data, or send large files directly to storage: with a key start with POST /v1/uploads, with an upload link with POST /v1/upload-links/{link}/uploads. Nothing was kept.',
  };
}

/**
 * Whether a call is too large for `/mcp`: as base64 it would not fit into the event of a function.
 */
function isLargeCall(request) {
  var length = request.headers['content-length'];
  return /^\/mcp\/*$/.test(request.uri) && length !== undefined && Number(length.value) > 4650000;
}

/** The same refusal as that of the function (`lambdas/mcp/admit.ts`), as JSON-RPC. */
function largeCall(requestId) {
  var nextStep = 'Send less data. For larger uploads use create_upload_link. Nothing was kept.';
  var error = 'The request is larger than 4 MB.';
  var answer = refusal(requestId, {
    status: 413,
    description: 'Content Too Large',
    code: 'PAYLOAD_TOO_LARGE',
  });
  answer.body.data = JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: {
      code: -32000,
      message: error + ' ' + nextStep,
      data: { code: 'PAYLOAD_TOO_LARGE', nextStep: nextStep },
    },
  });
  return answer;
}

function tooLarge(refused, requestId) {
  return refusal(requestId, {
    status: 413,
    description: 'Content Too Large',
    code: 'PAYLOAD_TOO_LARGE',
    error: refused.error,
    nextStep: refused.nextStep,
  });
}

function refusal(requestId, refused) {
  return {
    statusCode: refused.status,
    statusDescription: refused.description,
    headers: Object.assign({}, commonHeaders, {
      'access-control-allow-origin': { value: '*' },
      'cache-control': { value: 'no-store' },
      'content-type': { value: 'application/json' },
      'x-request-id': { value: requestId },
    }),
    body: {
      encoding: 'text',
      data: JSON.stringify({
        status: 'error',
        error: refused.error,
        code: refused.code,
        nextStep: refused.nextStep,
      }),
    },
  };
}
