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

/** The bucket: published files under `content/<projectId>/`, staged uploads under `temp/`. */
export class ContentStore extends Construct {
  readonly bucket: s3.Bucket;

  /** @param appOrigin the origin whose pages may upload large files directly to the bucket */
  constructor(scope: Construct, id: string, appOrigin: string) {
    super(scope, id);
    this.bucket = new s3.Bucket(this, 'Bucket', {
      encryption: s3.BucketEncryption.S3_MANAGED,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: cdk.RemovalPolicy.RETAIN,
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
        { id: 'abandoned-uploads', prefix: 'temp/', expiration: cdk.Duration.days(1) },
      ],
    });
  }

  grantObjects(fn: SlipwayFunction, actions: ObjectAction[]): void {
    fn.setVariable('CONTENT_BUCKET', this.bucket.bucketName);
    fn.allow(
      actions.map((action) => `s3:${action}`),
      [this.bucket.arnForObjects('content/*')],
    );
  }

  /** Access to staged uploads. */
  grantUploads(fn: SlipwayFunction, actions: ObjectAction[]): void {
    fn.setVariable('CONTENT_BUCKET', this.bucket.bucketName);
    fn.allow(
      actions.map((action) => `s3:${action}`),
      [this.bucket.arnForObjects('temp/*')],
    );
  }

  /**
   * Publishing a staged upload: list its parts, complete it (which needs PutObject), read it, delete it and abort its open multipart uploads.
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

  /** Lets a function list keys, for example to delete the files of a project. */
  grantListing(fn: SlipwayFunction): void {
    fn.allow(['s3:ListBucket'], [this.bucket.bucketArn], {
      StringLike: { 's3:prefix': ['content/*', 'temp/*'] },
    });
  }
}
