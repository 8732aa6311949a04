import * as cdk from 'aws-cdk-lib';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { SlipwayFunction } from '../functions/function.ts';

/** S3 actions on published files and staged uploads. */
export type ObjectAction =
  | 'GetObject'
  | 'PutObject'
  | 'DeleteObject'
  | 'AbortMultipartUpload'
  | 'ListMultipartUploadParts';

/** How other stacks refer to the bucket; cdk-nag names a finding by it. */
const BUCKET_EXPORT = 'ExportsOutputFnGetAttContentBucketDD05A3B9Arn1E531201';

export interface ContentStoreProps {
  /** The origin whose pages may upload large files directly to the bucket. */
  appOrigin: string;
  /** Days for which a deleted file can be restored. */
  backupDays: number;
}

/** The bucket: published files under `content/<projectId>/`, staged uploads under `temp/`. */
export class ContentStore extends Construct {
  readonly bucket: s3.Bucket;

  constructor(scope: Construct, id: string, { appOrigin, backupDays }: ContentStoreProps) {
    super(scope, id);
    const backup = cdk.Duration.days(backupDays);
    this.bucket = new s3.Bucket(this, 'Bucket', {
      encryption: s3.BucketEncryption.S3_MANAGED,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: cdk.RemovalPolicy.RETAIN,
      // Functions may neither read nor delete earlier versions, so no fault of theirs loses a file for ever.
      versioned: true,
      cors: [
        {
          allowedOrigins: [appOrigin],
          allowedMethods: [s3.HttpMethods.PUT],
          allowedHeaders: ['content-type'],
          maxAge: 3600,
        },
      ],
      lifecycleRules: [
        {
          id: 'abandoned-multipart-uploads',
          abortIncompleteMultipartUploadAfter: cdk.Duration.days(1),
        },
        {
          id: 'abandoned-uploads',
          prefix: 'temp/',
          expiration: cdk.Duration.days(1),
          noncurrentVersionExpiration: cdk.Duration.days(1),
        },
        {
          id: 'backups',
          prefix: 'content/',
          noncurrentVersionExpiration: backup,
          expiredObjectDeleteMarker: true,
        },
      ],
    });
    cdk.Validations.of(this.bucket).acknowledge(
      {
        id: 'AwsSolutions-S1',
        reason: 'An access log of the bucket holds signed addresses (lib/check/request-logs.ts).',
      },
      {
        id: 'AwsSolutions-S10',
        reason:
          'VisitorDistribution writes the policy that refuses requests without TLS: it also names the distribution, which is in the other stack.',
      },
    );
  }

  private grantPrefix(fn: SlipwayFunction, prefix: string, actions: ObjectAction[]): void {
    const { stackName } = cdk.Stack.of(this);
    fn.setVariable('CONTENT_BUCKET', this.bucket.bucketName);
    fn.allow(
      actions.map((action) => `s3:${action}`),
      [this.bucket.arnForObjects(`${prefix}/*`)],
    );
    fn.accept(
      `AwsSolutions-IAM5[Resource::${stackName}:${BUCKET_EXPORT}/${prefix}/*]`,
      'Keys are made at run time, so a permission can name their prefix only.',
    );
  }

  grantObjects(fn: SlipwayFunction, actions: ObjectAction[]): void {
    this.grantPrefix(fn, 'content', actions);
  }

  grantUploads(fn: SlipwayFunction, actions: ObjectAction[]): void {
    this.grantPrefix(fn, 'temp', actions);
  }

  /**
   * Lets a function publish a staged upload: list its parts, complete it (which needs PutObject), read it, delete it
   * and abort its open multipart uploads.
   */
  grantUsingUploads(fn: SlipwayFunction): void {
    this.grantUploads(fn, [
      'GetObject',
      'PutObject',
      'DeleteObject',
      'AbortMultipartUpload',
      'ListMultipartUploadParts',
    ]);
    this.grantListing(fn);
    // S3 has no condition that would limit this action to a prefix.
    fn.allow(['s3:ListBucketMultipartUploads'], [this.bucket.bucketArn]);
  }

  /**
   * Lets a function list keys, for example to delete the files of a project. Reading an object that is not there
   * needs it too, without a prefix: otherwise S3 answers 403 instead of 404 (Amazon S3 API, GetObject,
   * "Permissions").
   */
  grantListing(fn: SlipwayFunction): void {
    fn.setVariable('CONTENT_BUCKET', this.bucket.bucketName);
    fn.allow(['s3:ListBucket'], [this.bucket.bucketArn], {
      StringLikeIfExists: { 's3:prefix': ['content/*', 'temp/*'] },
    });
  }
}
