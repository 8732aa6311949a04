import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Where an operator's commands reach a service; without an endpoint it is AWS, with the credentials of the shell. */
export interface OperatorReach {
  region: string;
  endpoint?: { url: string; accessKeyId: string; secretAccessKey: string } | undefined;
}

/** A document client for one command: it gives up soon, so that a person is not left waiting. */
export function operatorClient(reach: OperatorReach): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(configOf(reach)), {
    marshallOptions: { removeUndefinedValues: true },
  });
}

/** The control plane of CloudFront for one command. */
export function operatorCloudFront(reach: OperatorReach): CloudFrontClient {
  return new CloudFrontClient(configOf(reach));
}

/** Secrets Manager for one command. */
export function operatorSecrets(reach: OperatorReach): SecretsManagerClient {
  return new SecretsManagerClient(configOf(reach));
}

function configOf({ region, endpoint }: OperatorReach) {
  return {
    region,
    maxAttempts: 2,
    ...(endpoint && { endpoint: endpoint.url, credentials: endpoint }),
  };
}

/** A client of S3 for one command; `endpoint` is that of S3. */
export function operatorStorage(reach: OperatorReach): S3Client {
  return new S3Client({ ...configOf(reach), maxAttempts: 3 });
}
