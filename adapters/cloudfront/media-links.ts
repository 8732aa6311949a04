import type { SecretPlace } from '../../contract/secret-place.ts';
import type { Addresses } from '../../core/projects/addresses/addresses.ts';
import type { MediaLinks } from '../../core/ports.ts';
import { MediaKeyring } from '../../core/secrets/media-keyring.ts';
import { signedUrl, signedUrlFor } from './canned-policy.ts';

/** The key that signs media links: its CloudFront id, and the location of its private key. */
export interface MediaKey {
  id: string;
  generation: number;
  secret: SecretPlace;
  /**
   * `any-prefix` signs for the path that the edge function requests from the bucket too, in case CloudFront
   * checks a signature after it.
   */
  scope: 'address' | 'any-prefix';
}

/**
 * CloudFront signed URLs (canned policy) below `/_slipway/media/` of the site's own host. The
 * private key is fetched when the first link is signed, because most visits need none.
 */
export function mediaLinks(
  key: MediaKey,
  addresses: Pick<Addresses, 'siteUrl'>,
  readSecret: ReadSecret,
): MediaLinks {
  let pem: Promise<string> | undefined;
  return {
    async sign(host, contentKey, until) {
      pem ??= privateKeyOf(key, readSecret);
      const privateKey = await pem.catch((error: unknown) => {
        pem = undefined;
        throw error;
      });
      const origin = addresses.siteUrl(host);
      const path = contentKey.replace(/^content\//, '');
      const url = `${origin}/_slipway/media/${path}`;
      const signer = { id: key.id, privateKey };
      const signed =
        key.scope === 'address'
          ? signedUrl(url, signer, until)
          : signedUrlFor(`${origin}/*${path}`, url, signer, until);
      return signed.slice(origin.length);
    },
  };
}

type ReadSecret = (secretArn: string, label: string) => Promise<string>;

async function privateKeyOf(
  { generation, secret }: MediaKey,
  readSecret: ReadSecret,
): Promise<string> {
  const { privateKeys } = MediaKeyring.parse(
    JSON.parse(await readSecret(secret.arn, secret.labels.current)),
  );
  const found = privateKeys[generation];
  if (found === undefined) throw new Error(`The secret has no media key ${generation}.`);
  return found;
}
