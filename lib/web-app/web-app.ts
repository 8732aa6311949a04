import * as cdk from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as origins from 'aws-cdk-lib/aws-cloudfront-origins';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { customResourceTimeout, type SlipwayFunction } from '../functions/function.ts';
import { httpsOnly } from '../edge/distribution-parts.ts';
import { isLocal, originScheme, type Settings } from '../settings.ts';
import { webAppBuild } from './web-app-build.ts';

export interface WebAppProps {
  settings: Settings;
  bundlesDir: string;
  /** Copies the files into the bucket. */
  deployer: SlipwayFunction;
  /** Where browsers send large files. */
  uploads: s3.IBucket;
}

/** The web app: static files in a bucket of their own, which each deployment fills. */
export class WebApp extends Construct {
  private readonly bucket: s3.Bucket;
  private readonly props: WebAppProps;

  constructor(scope: Construct, id: string, props: WebAppProps) {
    super(scope, id);
    this.props = props;
    const { deployer, settings, bundlesDir } = props;
    this.bucket = new s3.Bucket(this, 'Files', {
      encryption: s3.BucketEncryption.S3_MANAGED,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      // The bucket can be filled again at any time. The deployer empties it before it is deleted.
      removalPolicy: cdk.RemovalPolicy.DESTROY,
    });
    cdk.Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Files of the web app are public; the log of CloudFront has its requests (edgeLogs).',
    });
    this.grantDeploying(deployer);
    const deployment = new cdk.CustomResource(this, 'Deployment', {
      resourceType: 'Custom::WebApp',
      serviceToken: deployer.functionArn,
      serviceTimeout: customResourceTimeout,
      properties: {
        Build: webAppBuild(bundlesDir),
        Config: webAppConfig(settings),
      },
    });
    // Deleted before the policy that lets the deployer empty the bucket.
    if (deployer.role !== undefined) deployment.node.addDependency(deployer.role);
  }

  /** The behaviours of the app's distribution that serve the files. */
  behaviors(
    viewerRequest: cloudfront.FunctionAssociation,
  ): Record<string, cloudfront.BehaviorOptions> {
    const behavior: cloudfront.BehaviorOptions = {
      origin: origins.S3BucketOrigin.withOriginAccessControl(this.bucket),
      viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      // The edge function answers all methods but GET and HEAD (decision 0050).
      allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
      cachePolicy: this.cachePolicy(),
      responseHeadersPolicy: this.headersPolicy(),
      functionAssociations: [viewerRequest],
      // The files are stored compressed.
      compress: false,
    };
    return { '/dashboard': behavior, '/dashboard/*': behavior };
  }

  private grantDeploying(fn: SlipwayFunction): void {
    fn.setVariable('WEB_APP_BUCKET', this.bucket.bucketName);
    fn.allow(['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], [this.bucket.arnForObjects('*')]);
    fn.allow(['s3:ListBucket'], [this.bucket.bucketArn]);
    const { stackName } = cdk.Stack.of(this);
    fn.accept(
      `AwsSolutions-IAM5[Resource::<${cdk.Stack.of(this).getLogicalId(this.cfnBucket())}.Arn>/*]`,
      `Names of files contain hashes, and ${stackName} keeps nothing else in this bucket.`,
    );
  }

  private cfnBucket(): cdk.CfnElement {
    const child = this.bucket.node.defaultChild;
    if (!(child instanceof cdk.CfnElement)) throw new Error('The bucket has no resource.');
    return child;
  }

  /** Keyed by path alone: the edge function moves the encoding into the path. */
  private cachePolicy(): cloudfront.CachePolicy {
    return new cloudfront.CachePolicy(this, 'Cache', {
      comment: 'Slipway: files of the web app, by path',
      minTtl: cdk.Duration.seconds(0),
      defaultTtl: cdk.Duration.seconds(0),
      maxTtl: cdk.Duration.days(365),
      headerBehavior: cloudfront.CacheHeaderBehavior.none(),
      cookieBehavior: cloudfront.CacheCookieBehavior.none(),
      queryStringBehavior: cloudfront.CacheQueryStringBehavior.none(),
    });
  }

  private headersPolicy(): cloudfront.ResponseHeadersPolicy {
    return new cloudfront.ResponseHeadersPolicy(this, 'Headers', {
      comment: 'Slipway: policy of the web app',
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: this.policy(), override: true },
        contentTypeOptions: { override: true },
        strictTransportSecurity: httpsOnly,
        referrerPolicy: {
          referrerPolicy: cloudfront.HeadersReferrerPolicy.NO_REFERRER,
          override: true,
        },
      },
      customHeadersBehavior: {
        customHeaders: [
          { header: 'cross-origin-opener-policy', value: 'same-origin', override: true },
          { header: 'vary', value: 'accept-encoding', override: true },
        ],
      },
    });
  }

  /** Scripts and styles are files of this host; no text becomes code (Trusted Types). */
  private policy(): string {
    const { settings, uploads } = this.props;
    const sites = `${originScheme(settings)}://*.${settings.sitesDomain}`;
    // The local cloud has its storage on this computer, at a port that is not known here.
    const storage = isLocal(settings)
      ? 'http://127.0.0.1:*'
      : `https://${uploads.bucketRegionalDomainName}`;
    return [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self' data: blob:",
      // The app puts what its owner downloads into a ZIP.
      `connect-src 'self' ${storage} ${originScheme(settings)}://download.${settings.sitesDomain}`,
      `frame-src ${sites}`,
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; ');
  }
}

/** What the app reads of an installation (`Config` in `web/app/api/session.ts`), as JSON. */
function webAppConfig({ brand, upgradeUrl, signUpPolicy, securityContact }: Settings): string {
  const addresses = { upgradeUrl: upgradeUrl ?? null, securityContact: securityContact ?? null };
  return JSON.stringify({ brand, ...addresses, signUpPolicy });
}
