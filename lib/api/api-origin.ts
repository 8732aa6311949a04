import * as cdk from 'aws-cdk-lib';
import type * as apigateway from 'aws-cdk-lib/aws-apigateway';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { STAGE_NAME } from './api.ts';

/** The REST API as CloudFront calls it. */
export interface ApiOriginProps {
  api: apigateway.RestApi;
  originSecret: secretsmanager.Secret;
}

/** Where CloudFront finds the REST API, and the header by which that knows CloudFront. */
export function apiOrigin({ api, originSecret }: ApiOriginProps) {
  const { region, urlSuffix } = cdk.Stack.of(api);
  return {
    domainName: `${api.restApiId}.execute-api.${region}.${urlSuffix}`,
    originPath: `/${STAGE_NAME}`,
    // CloudFront puts this in the place of a header of that name that a client sent.
    headerName: 'x-slipway-origin',
    headerValue: originSecret.secretValue.unsafeUnwrap(),
  };
}
