import * as cdk from 'aws-cdk-lib';
import type * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { apiOrigin, type ApiOriginProps } from '../api/api-origin.ts';
import type { SlipwayFunction } from '../functions/function.ts';

/** A function behind a URL of its own, which only we may call. */
export function functionOrigin(
  id: string,
  fn: SlipwayFunction,
  invokeMode: lambda.InvokeMode,
  originAccessControlId: string,
): cloudfront.CfnDistribution.OriginProperty {
  const authType = lambda.FunctionUrlAuthType.AWS_IAM;
  const { url } = fn.addFunctionUrl({ authType, invokeMode });
  return {
    id,
    domainName: cdk.Fn.select(2, cdk.Fn.split('/', url)),
    originAccessControlId,
    customOriginConfig: { originProtocolPolicy: 'https-only', originSslProtocols: ['TLSv1.2'] },
  };
}

/** A Function URL behind origin access control refuses plain form posts, so that forms go to the API. */
export function formsOrigin(props: ApiOriginProps): cloudfront.CfnDistribution.OriginProperty {
  const { headerName, headerValue, ...origin } = apiOrigin(props);
  return {
    id: 'forms',
    ...origin,
    customOriginConfig: { originProtocolPolicy: 'https-only', originSslProtocols: ['TLSv1.2'] },
    originCustomHeaders: [{ headerName, headerValue }],
  };
}
