import * as cdk from 'aws-cdk-lib';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { SlipwayFunction } from '../functions/function.ts';

/** What a function does with published bytes. */
export type ObjectAction =
  | 'GetObject'
  | 'PutObject'
  | 'DeleteObject'
  | 'AbortMultipartUpload'
  | 'ListMultipartUploadParts';

/** The bucket of everything published, under `content/<projectId>/<version>/`. */
export class ContentStore extends Construct {
  readonly bucket: s3.Bucket;

  /** @param appOrigin whose pages send large files straight here */
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

  /** The same for large uploads that are still to be published. */
  grantUploads(fn: SlipwayFunction, actions: ObjectAction[]): void {
    fn.setVariable('CONTENT_BUCKET', this.bucket.bucketName);
    fn.allow(
      actions.map((action) => `s3:${action}`),
      [this.bucket.arnForObjects('temp/*')],
    );
  }

  /**
   * What using a large upload needs: to see what has arrived, to keep it as it is (which is a
   * PutObject), to read it, and to remove it with what is still open.
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
    // S3 knows no condition by which this could be held to a prefix.
    fn.allow(['s3:ListBucketMultipartUploads'], [this.bucket.bucketArn]);
  }

  /** Lets a function list published keys, to find what is left of a project. */
  grantListing(fn: SlipwayFunction): void {
    fn.allow(['s3:ListBucket'], [this.bucket.bucketArn], {
      StringLike: { 's3:prefix': ['content/*', 'temp/*'] },
    });
  }
}
