import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { commonHeaders } from '../../contract/common-headers.ts';

/** Where the page is: CloudFront appends the path that the visitor requested. */
export const BUSY_PATH = '/_busy';

/** Fixed text: API Gateway takes a dollar sign or a number sign for a template. */
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Busy</title>
<h1>This site is busy</h1>
<p>Too many pages were requested at the same moment. Try again in a few seconds.</p>
</html>
`;

const headers = {
  ...commonHeaders,
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  'retry-after': '5',
};

/**
 * A page with 503 that API Gateway answers without a function, so that it works while all functions
 * are throttled.
 */
export function addBusyPage(root: apigateway.IResource): void {
  const names = Object.entries(headers).map(
    ([name, value]) => [`method.response.header.${name}`, value] as const,
  );
  const mock = new apigateway.MockIntegration({
    passthroughBehavior: apigateway.PassthroughBehavior.NEVER,
    requestTemplates: { 'application/json': '{ "statusCode": 503 }' },
    integrationResponses: [
      {
        statusCode: '503',
        responseParameters: Object.fromEntries(names.map(([name, value]) => [name, `'${value}'`])),
        responseTemplates: { 'application/json': page },
      },
    ],
  });
  const methodResponses = [
    {
      statusCode: '503',
      responseParameters: Object.fromEntries(names.map(([name]) => [name, true])),
    },
  ];
  for (const path of [BUSY_PATH, `${BUSY_PATH}/{path+}`]) {
    for (const method of ['GET', 'HEAD']) {
      root.resourceForPath(path).addMethod(method, mock, { methodResponses });
    }
  }
}
