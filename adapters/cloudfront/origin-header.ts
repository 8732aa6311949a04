import {
  type CloudFrontClient,
  type DistributionConfig,
  GetDistributionCommand,
  UpdateDistributionCommand,
} from '@aws-sdk/client-cloudfront';
import type { HeaderSender } from '../../core/secrets/rotate-secret.ts';

const headerName = 'x-slipway-origin';

/**
 * The header with which CloudFront identifies itself to the API, in the configuration of
 * distributions. A later deployment writes the secret's current value, so it does not undo this.
 */
export function originHeader(
  client: CloudFrontClient,
  distributionIds: readonly string[],
): HeaderSender {
  const read = async (id: string) => {
    const { Distribution, ETag } = await client.send(new GetDistributionCommand({ Id: id }));
    const config = Distribution?.DistributionConfig;
    if (config === undefined)
      throw new Error(`CloudFront did not return the configuration of distribution ${id}.`);
    if (headersOf(config).length === 0) {
      throw new Error(`Distribution ${id} sends no ${headerName}: it is not one of this service.`);
    }
    return { config, status: Distribution?.Status, etag: ETag };
  };
  return {
    async isSending(value) {
      const all = await Promise.all(distributionIds.map(read));
      return all.every(({ config, status }) => status === 'Deployed' && sends(config, value));
    },
    async send(value) {
      for (const id of distributionIds) {
        const { config, etag } = await read(id);
        if (sends(config, value)) continue;
        for (const header of headersOf(config)) header.HeaderValue = value;
        const changed = { Id: id, IfMatch: etag, DistributionConfig: config };
        await client.send(new UpdateDistributionCommand(changed));
      }
    },
  };
}

function sends(config: DistributionConfig, value: string): boolean {
  return headersOf(config).every(({ HeaderValue }) => HeaderValue === value);
}

function headersOf(config: DistributionConfig) {
  return (config.Origins?.Items ?? [])
    .flatMap(({ CustomHeaders }) => CustomHeaders?.Items ?? [])
    .filter(({ HeaderName }) => HeaderName?.toLowerCase() === headerName);
}
