import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * The target of an operator's commands. Without an endpoint it is AWS, with the credentials of the
 * shell.
 */
export interface OperatorReach {
  region: string;
  endpoint?:
    | {
        url: string;
        accessKeyId: string;
        secretAccessKey: string;
        /** How far the clock of a local cloud is ahead: calls are signed with its time. */
        clockAheadMs?: number;
      }
    | undefined;
}

/** A document client for one command, with short timeouts because a person is waiting. */
export function operatorClient(reach: OperatorReach): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(clientConfig(reach)), {
    marshallOptions: { removeUndefinedValues: true },
  });
}

/** The control plane of CloudFront for one command. */
export function operatorCloudFront(reach: OperatorReach): CloudFrontClient {
  return new CloudFrontClient(clientConfig(reach));
}

/** Secrets Manager for one command. */
export function operatorSecrets(reach: OperatorReach): SecretsManagerClient {
  return new SecretsManagerClient(clientConfig(reach));
}

/** The configuration of every client of a command. */
export function clientConfig({ region, endpoint }: OperatorReach) {
  return {
    region,
    maxAttempts: 2,
    ...(endpoint && {
      endpoint: endpoint.url,
      credentials: endpoint,
      systemClockOffset: endpoint.clockAheadMs ?? 0,
    }),
  };
}

/** An S3 client for one command; `endpoint` is the endpoint of S3. */
export function operatorStorage(reach: OperatorReach): S3Client {
  return new S3Client({ ...clientConfig(reach), maxAttempts: 3 });
}
