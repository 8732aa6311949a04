import * as apigateway from 'aws-cdk-lib/aws-apigateway';

/** What pages of other sites may send to the MCP endpoint and the authorization server. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Accept',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
];

/** A day; browsers keep less of it as they like. */
const MAX_AGE_SECONDS = 86_400;

/** Lets pages of every site call these methods of a resource. No cookie counts there, so nothing is given away. */
export function addPreflight(resource: apigateway.IResource, methods: readonly string[]): void {
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': methods.join(','),
    'access-control-allow-headers': allowedHeaders.join(','),
    'access-control-max-age': String(MAX_AGE_SECONDS),
  };
  const names = Object.entries(headers).map(
    ([name, value]) => [`method.response.header.${name}`, value] as const,
  );
  const mock = new apigateway.MockIntegration({
    // A preflight has no body. Any other media type would be an error 500 without a template for it.
    passthroughBehavior: apigateway.PassthroughBehavior.NEVER,
    requestTemplates: { 'application/json': '{ statusCode: 204 }' },
    integrationResponses: [
      {
        statusCode: '204',
        responseParameters: Object.fromEntries(names.map(([name, value]) => [name, `'${value}'`])),
      },
    ],
  });
  resource.addMethod('OPTIONS', mock, {
    methodResponses: [
      {
        statusCode: '204',
        responseParameters: Object.fromEntries(names.map(([name]) => [name, true])),
      },
    ],
  });
}
