/**
 * Runs at the edge for every request to the app and its API (CloudFront Functions).
 *
 * Copies the caller's address into a header of ours; the policy that keeps `Host` from API Gateway
 * cannot add CloudFront's own address header. A header of ours that a client sent is deleted.
 */
// oxlint-disable-next-line no-unused-vars -- CloudFront calls it by this name
function handler(event) {
  var request = event.request;
  for (var name in request.headers) {
    if (name.indexOf('x-slipway-') === 0) delete request.headers[name];
  }
  request.headers['x-slipway-viewer'] = { value: event.viewer.ip };
  return request;
}
