import { ACCOUNT, REGION } from '../assembly/resource-type.ts';

const AWS_ORIGIN = `https://sqs.${REGION}.amazonaws.com`;

/** A queue's URL as `Ref` gives it. */
export function queueUrl(name: string): string {
  return `${AWS_ORIGIN}/${ACCOUNT}/${name}`;
}

/** The name at the end of a queue's URL. */
export function queueNameOf(url: string): string {
  return url.split('/').at(-1) ?? url;
}

/**
 * Replaces queue URLs in values with those of the local server. The SDK takes the host of a call from
 * the queue's URL, even if `AWS_ENDPOINT_URL_SQS` is set.
 */
export function withLocalQueueUrls(
  variables: Record<string, string>,
  endpoint: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      value.replaceAll(`${AWS_ORIGIN}/`, `${endpoint}/`),
    ]),
  );
}
