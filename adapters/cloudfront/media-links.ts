import type { Addresses } from '../../core/projects/addresses/addresses.ts';
import type { MediaLinks } from '../../core/ports.ts';
import { MediaKeyring } from '../../core/secrets/media-keyring.ts';
import { signedUrl } from './canned-policy.ts';

/** The key that signs media links: its CloudFront id, and the location of its private key. */
export interface MediaKey {
  id: string;
  generation: number;
  secretArn: string;
}

/**
 * CloudFront signed URLs (canned policy) below `/_slipway/media/` of the site's own host. The
 * private key is fetched when the first link is signed, because most visits need none.
 */
export function mediaLinks(
  key: MediaKey,
  addresses: Pick<Addresses, 'siteUrl'>,
  readSecret: (secretArn: string) => Promise<string>,
): MediaLinks {
  let pem: Promise<string> | undefined;
  return {
    async sign(host, contentKey, until) {
      pem ??= privateKeyOf(key, readSecret);
      const privateKey = await pem.catch((error: unknown) => {
        pem = undefined;
        throw error;
      });
      const path = contentKey.replace(/^content\//, '/_slipway/media/');
      const url = addresses.siteUrl(host) + path;
      const signed = signedUrl(url, { id: key.id, privateKey }, until);
      return signed.slice(addresses.siteUrl(host).length);
    },
  };
}

async function privateKeyOf(
  { generation, secretArn }: MediaKey,
  readSecret: (secretArn: string) => Promise<string>,
): Promise<string> {
  const { privateKeys } = MediaKeyring.parse(JSON.parse(await readSecret(secretArn)));
  const found = privateKeys[generation];
  if (found === undefined) throw new Error(`The secret has no media key ${generation}.`);
  return found;
}
