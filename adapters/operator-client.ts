import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Where an operator's commands reach a service; without an endpoint it is AWS, with the credentials of the shell. */
export interface OperatorReach {
  region: string;
  endpoint?: { url: string; accessKeyId: string; secretAccessKey: string } | undefined;
}

/** A document client for one command: it gives up soon, so that a person is not left waiting. */
export function operatorClient({ region, endpoint }: OperatorReach): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    region,
    maxAttempts: 2,
    ...(endpoint && { endpoint: endpoint.url, credentials: endpoint }),
  });
  return DynamoDBDocumentClient.from(client);
}

/** A client of S3 for one command; `endpoint` is that of S3. */
export function operatorStorage({ region, endpoint }: OperatorReach): S3Client {
  return new S3Client({
    region,
    ...(endpoint && { endpoint: endpoint.url, credentials: endpoint }),
  });
}
