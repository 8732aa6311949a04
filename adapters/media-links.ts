import { getSignedUrl } from '@aws-sdk/cloudfront-signer';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Addresses } from '../core/projects/addresses.ts';
import type { MediaLinks } from '../core/ports.ts';

/** Which key signs media links: its CloudFront id, and the secret that holds its private half as PEM. */
export interface MediaKey {
  id: string;
  secretArn: string;
}

/**
 * CloudFront signed URLs (canned policy) below `/_slipway/media/` of the site's own host.
 * The private key is fetched at the first link: most visits never need one.
 */
export function mediaLinks(key: MediaKey, addresses: Pick<Addresses, 'siteUrl'>): MediaLinks {
  const client = new SecretsManagerClient({});
  let pem: Promise<string> | undefined;
  return {
    async sign(host, contentKey, until) {
      pem ??= fetchPem(client, key.secretArn);
      const privateKey = await pem.catch((error: unknown) => {
        pem = undefined;
        throw error;
      });
      const path = contentKey.replace(/^content\//, '/_slipway/media/');
      const url = addresses.siteUrl(host) + path;
      const signed = getSignedUrl({
        url,
        keyPairId: key.id,
        privateKey,
        dateLessThan: until.toISOString(),
      });
      return signed.slice(addresses.siteUrl(host).length);
    },
  };
}

async function fetchPem(client: SecretsManagerClient, secretArn: string): Promise<string> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
  if (SecretString === undefined) throw new Error('the media key secret holds no text');
  return SecretString;
}
