import * as cdk from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { apiOrigin, type ApiOriginProps } from '../api/api.ts';
import { busyOriginPath } from '../api/busy-page.ts';
import { acceptEdgeFindings, uncachedErrors, viewerTls } from '../edge/distribution-parts.ts';
import type { SlipwayFunction } from '../functions/function.ts';
import { hostName, isLocal, type Settings } from '../settings.ts';
import { visitorBehaviors } from './visitor-behaviors.ts';
import { cacheTagHeader } from './visitor-caching.ts';

export interface VisitorDistributionProps extends ApiOriginProps {
  settings: Settings;
  certificateArn: string | undefined;
  gate: SlipwayFunction;
  /** Serves the scripts of viewer pages. */
  assets: SlipwayFunction;
  /** Sends ZIPs, and to owners their files. */
  streams: SlipwayFunction;
  content: s3.Bucket;
  /** The connection group of the data stack. */
  connectionGroup: cloudfront.CfnConnectionGroup;
  webAclArn?: string | undefined;
}

/**
 * CloudFront for published pages: one multi-tenant distribution, with a tenant for the sites domain.
 *
 * Uses the CloudFormation resource directly: the CDK's construct sets aliases, IPv6 and a price class,
 * which a tenant-only distribution must not have.
 */
export class VisitorDistribution extends Construct {
  readonly distribution: cloudfront.CfnDistribution;
  readonly connectionGroup: cloudfront.CfnConnectionGroup;

  private readonly tenant: cloudfront.CfnDistributionTenant | undefined;

  constructor(scope: Construct, id: string, props: VisitorDistributionProps) {
    super(scope, id);
    this.connectionGroup = props.connectionGroup;
    this.distribution = new cloudfront.CfnDistribution(this, 'Distribution', {
      distributionConfig: {
        comment: 'Slipway: published pages',
        enabled: true,
        connectionMode: 'tenant-only',
        httpVersion: 'http2and3',
        // S3 sends object metadata under this name, so that files which S3 serves are tagged too.
        cacheTagConfig: { headerName: cacheTagHeader },
        // Tenants of custom domains have this parameter, the tenant of the sites domain does not.
        // CloudFront refuses parameters that are not defined here.
        tenantConfig: {
          parameterDefinitions: [
            { name: 'domainId', definition: { stringSchema: { required: false } } },
          ],
        },
        customErrorResponses: uncachedErrors.map((errorCode) => ({
          errorCode,
          errorCachingMinTtl: 0,
        })),
        origins: this.origins(props),
        originGroups: busyGroups(),
        ...visitorBehaviors(this, props),
        ...(props.webAclArn !== undefined && { webAclId: props.webAclArn }),
        ...viewerCertificate(props.certificateArn),
      },
    });
    acceptEdgeFindings(this.distribution, {
      firewall: props.webAclArn !== undefined,
      certificate: props.settings.sitesCertificateArn !== undefined,
    });
    this.allowInvocation(props.gate);
    this.allowInvocation(props.assets);
    this.allowInvocation(props.streams);
    this.addContentPolicy(props.content);
    this.tenant = this.platformTenant(props);
  }

  /** The tenant that serves the sites; operator commands invalidate it. */
  get tenantId(): string | undefined {
    return this.tenant?.attrId;
  }

  /** Lets a function invalidate the cached responses of a project. */
  grantInvalidation(fn: SlipwayFunction): void {
    fn.setVariable('SITES_TENANT_ID', this.tenantId ?? '');
    if (this.tenant === undefined) return;
    fn.allow(['cloudfront:CreateInvalidationForDistributionTenant'], [this.tenant.attrArn]);
  }

  private origins(props: VisitorDistributionProps): cloudfront.CfnDistribution.OriginProperty[] {
    const signed = this.accessControl('lambda');
    return [
      functionOrigin('gate', props.gate, lambda.InvokeMode.BUFFERED, signed),
      this.storageOrigin(props.content),
      formsOrigin(props),
      busyOrigin(props),
      functionOrigin('streams', props.streams, lambda.InvokeMode.RESPONSE_STREAM, signed),
      functionOrigin('assets', props.assets, lambda.InvokeMode.BUFFERED, signed),
    ];
  }

  /** Only origin groups of the edge function use it: a function decides first. */
  private storageOrigin(bucket: s3.Bucket): cloudfront.CfnDistribution.OriginProperty {
    return {
      id: 'storage',
      domainName: bucket.bucketRegionalDomainName,
      originPath: '/content',
      originAccessControlId: this.accessControl('s3'),
      s3OriginConfig: { originAccessIdentity: '' },
    };
  }

  private accessControl(type: 'lambda' | 's3'): string {
    return new cloudfront.CfnOriginAccessControl(this, `Access-${type}`, {
      originAccessControlConfig: {
        name: this.uniqueName(type),
        originAccessControlOriginType: type,
        signingBehavior: 'always',
        signingProtocol: 'sigv4',
      },
    }).attrId;
  }

  private uniqueName(suffix: string): string {
    return `${cdk.Names.uniqueResourceName(this, { maxLength: 50, separator: '-' })}-${suffix}`;
  }

  /** CloudFront signs a request for the distribution or for the tenant that it came through. */
  private signerArns() {
    const { partition, account } = cdk.Stack.of(this);
    const cloudFront = `arn:${partition}:cloudfront::${account}`;
    return {
      Distribution: `${cloudFront}:distribution/${this.distribution.ref}`,
      Tenants: `${cloudFront}:distribution-tenant/*`,
    };
  }

  /** A Function URL behind origin access control needs both actions. */
  private allowInvocation(fn: SlipwayFunction): void {
    const principal = new iam.ServicePrincipal('cloudfront.amazonaws.com');
    for (const [signer, sourceArn] of Object.entries(this.signerArns())) {
      fn.addPermission(`${signer}Url`, {
        principal,
        action: 'lambda:InvokeFunctionUrl',
        functionUrlAuthType: lambda.FunctionUrlAuthType.AWS_IAM,
        sourceArn,
      });
      fn.addPermission(`${signer}Invoke`, {
        principal,
        action: 'lambda:InvokeFunction',
        invokedViaFunctionUrl: true,
        sourceArn,
      });
    }
  }

  /** The policy of the content bucket. It names the distribution, so it is in this stack. */
  private addContentPolicy(bucket: s3.Bucket): void {
    const document = new iam.PolicyDocument();
    document.addStatements(
      new iam.PolicyStatement({
        sid: 'OnlyTls',
        effect: iam.Effect.DENY,
        principals: [new iam.AnyPrincipal()],
        actions: ['s3:*'],
        resources: [bucket.bucketArn, bucket.arnForObjects('*')],
        conditions: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
      new iam.PolicyStatement({
        sid: 'LargeFiles',
        principals: [new iam.ServicePrincipal('cloudfront.amazonaws.com')],
        actions: ['s3:GetObject'],
        resources: [bucket.arnForObjects('content/*')],
        conditions: { ArnLike: { 'aws:SourceArn': Object.values(this.signerArns()) } },
      }),
    );
    new s3.CfnBucketPolicy(this, 'ContentPolicy', {
      bucket: bucket.bucketName,
      policyDocument: document,
    });
  }

  /**
   * The tenant that serves `*.{sitesDomain}`, and the bare domain, which leads to the app. CloudFront refuses a domain without a certificate.
   * An installation without one gets everything else, and an output that says what to do.
   */
  private platformTenant({
    settings,
    certificateArn,
  }: VisitorDistributionProps): cloudfront.CfnDistributionTenant | undefined {
    if (certificateArn === undefined && !isLocal(settings)) return undefined;
    return new cloudfront.CfnDistributionTenant(this, 'PlatformTenant', {
      name: this.uniqueName('sites'),
      distributionId: this.distribution.ref,
      connectionGroupId: this.connectionGroup.attrId,
      domains: [`*.${hostName(settings.sitesDomain)}`, hostName(settings.sitesDomain)],
      enabled: true,
      ...(certificateArn !== undefined && {
        customizations: { certificate: { arn: certificateArn } },
      }),
    });
  }
}

/** Tenants take TLS version and ciphers from the distribution, and its certificate unless they bring one. */
function viewerCertificate(
  acmCertificateArn: string | undefined,
): Pick<cloudfront.CfnDistribution.DistributionConfigProperty, 'viewerCertificate'> {
  if (acmCertificateArn === undefined) return {};
  const sslSupportMethod = cloudfront.SSLMethod.SNI;
  return {
    viewerCertificate: { acmCertificateArn, sslSupportMethod, minimumProtocolVersion: viewerTls },
  };
}

/** A function URL as an origin. Only CloudFront may call it. */
function functionOrigin(
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

/**
 * Lambda answers 429 when it throttles, and 502 when a function crashes, both as bare JSON. The streaming
 * function has a 429 of its own. 503 is a page of the gate that must arrive: without it in the list, CloudFront answers for
 * a gate that cannot be reached.
 */
function busyGroups(): cloudfront.CfnDistribution.OriginGroupsProperty {
  const groups = Object.entries({
    gate: [429, 502, 504],
    assets: [429, 502, 504],
    streams: [502, 504],
  });
  const items = groups.map(([originId, statuses]) => ({
    id: `${originId}-or-busy`,
    members: { quantity: 2, items: [{ originId }, { originId: 'busy' }] },
    failoverCriteria: { statusCodes: { quantity: statuses.length, items: statuses } },
  }));
  return { quantity: items.length, items };
}

/** Answers while Lambda throttles, without a function; only origin groups use it. */
function busyOrigin(props: ApiOriginProps): cloudfront.CfnDistribution.OriginProperty {
  const { domainName, originPath, headers } = apiOrigin(props);
  return {
    id: 'busy',
    domainName,
    originPath: `${originPath}${busyOriginPath}`,
    customOriginConfig: { originProtocolPolicy: 'https-only', originSslProtocols: ['TLSv1.2'] },
    originCustomHeaders: customHeaders({ 'x-api-key': headers['x-api-key'] }),
  };
}

/** The API serves forms, because a function URL with origin access control refuses plain form posts. */
function formsOrigin(props: ApiOriginProps): cloudfront.CfnDistribution.OriginProperty {
  const { headers, ...origin } = apiOrigin(props);
  return {
    id: 'forms',
    ...origin,
    customOriginConfig: { originProtocolPolicy: 'https-only', originSslProtocols: ['TLSv1.2'] },
    originCustomHeaders: customHeaders(headers),
  };
}

function customHeaders(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([headerName, headerValue]) => ({ headerName, headerValue }));
}
