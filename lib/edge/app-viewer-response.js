/**
 * Runs at the edge for answers of the MCP endpoint and of the authorization server whose status is below
 * 400 (CloudFront Functions, viewer response).
 *
 * API Gateway renames `WWW-Authenticate` of a function's answer. So a function sends a challenge as a 200
 * with the true status and the challenge in headers of ours (lambdas/http/carried-challenge.ts), and this
 * function restores both. The body stays.
 */
// oxlint-disable-next-line no-unused-vars -- CloudFront calls it by this name
function handler(event) {
  var response = event.response;
  var status = response.headers['x-slipway-status'];
  var challenge = response.headers['x-slipway-challenge'];
  if (status === undefined || challenge === undefined) return response;
  response.statusCode = Number(status.value);
  response.statusDescription = status.value === '401' ? 'Unauthorized' : 'Forbidden';
  response.headers['www-authenticate'] = { value: challenge.value };
  delete response.headers['x-slipway-status'];
  delete response.headers['x-slipway-challenge'];
  return response;
}
