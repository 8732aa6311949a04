import * as cdk from 'aws-cdk-lib';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as origins from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { oauthPaths } from '../../contract/oauth/oauth-paths.ts';
import { apiOrigin, type ApiOriginProps } from '../api/api.ts';
import {
  acceptEdgeFindings,
  httpsOnly,
  uncachedErrors,
  viewerRequestFunction,
  viewerResponseFunction,
  viewerTls,
} from '../edge/distribution-parts.ts';
import { hostName, isLocal, type Settings } from '../settings.ts';
import type { WebApp } from './web-app.ts';

export interface AppDistributionProps extends ApiOriginProps {
  settings: Settings;
  certificateArn: string | undefined;
  webApp: WebApp;
  webAclArn?: string | undefined;
}

/** CloudFront for the app domain: the web app's files, and the only way to the REST API. */
export class AppDistribution extends Construct {
  readonly distribution: cloudfront.Distribution;

  constructor(scope: Construct, id: string, props: AppDistributionProps) {
    super(scope, id);
    const viewerRequest = {
      eventType: cloudfront.FunctionEventType.VIEWER_REQUEST,
      function: viewerRequestFunction(this, 'app-viewer-request.js'),
    };
    const api: cloudfront.BehaviorOptions = {
      origin: this.apiOrigin(props),
      viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
      cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
      // API Gateway answers 403 to a `Host` that is not its own.
      originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy: new cloudfront.ResponseHeadersPolicy(this, 'Headers', {
        comment: 'Slipway: API and pages of the app',
        securityHeadersBehavior: { strictTransportSecurity: httpsOnly },
      }),
      functionAssociations: [viewerRequest],
    };
    const challenging: cloudfront.BehaviorOptions = {
      ...api,
      functionAssociations: [
        viewerRequest,
        {
          eventType: cloudfront.FunctionEventType.VIEWER_RESPONSE,
          function: viewerResponseFunction(this),
        },
      ],
    };
    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: 'Slipway: app and API',
      defaultBehavior: api,
      additionalBehaviors: {
        [`${oauthPaths.mcp}*`]: challenging,
        '/oauth/*': challenging,
        ...props.webApp.behaviors(viewerRequest),
      },
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      errorResponses: uncachedErrors.map((httpStatus) => ({
        httpStatus,
        ttl: cdk.Duration.seconds(0),
      })),
      ...this.names(props),
      ...(props.webAclArn !== undefined && { webAclId: props.webAclArn }),
    });
    acceptEdgeFindings(this.distribution, {
      firewall: props.webAclArn !== undefined,
      certificate: props.settings.appCertificateArn !== undefined,
    });
  }

  private apiOrigin(props: AppDistributionProps): cloudfront.IOrigin {
    const { domainName, originPath, headers } = apiOrigin(props);
    return new origins.HttpOrigin(domainName, {
      originPath,
      protocolPolicy: cloudfront.OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [cloudfront.OriginSslPolicy.TLS_V1_2],
      customHeaders: headers,
    });
  }

  /** CloudFront refuses an alias without a certificate. The local edge needs none. */
  private names({
    settings,
    certificateArn,
  }: AppDistributionProps): Partial<cloudfront.DistributionProps> {
    const domainNames = [hostName(settings.appDomain)];
    if (isLocal(settings)) return { domainNames };
    if (certificateArn === undefined) return {};
    const certificate = acm.Certificate.fromCertificateArn(this, 'Certificate', certificateArn);
    const sslSupportMethod = cloudfront.SSLMethod.SNI;
    return { domainNames, certificate, minimumProtocolVersion: viewerTls, sslSupportMethod };
  }
}
