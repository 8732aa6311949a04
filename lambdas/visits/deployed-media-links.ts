import { type MediaKey, mediaLinks } from '../../adapters/cloudfront/media-links.ts';
import type { SignedCalls } from '../../adapters/signed-calls/signed-calls.ts';
import { signedSecrets } from '../../adapters/signed-calls/signed-services.ts';
import { parseSecretPlace } from '../../contract/secret-place.ts';
import type { MediaLinks } from '../../core/ports.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { setting } from '../shared/settings.ts';

/** Links to large files, signed with the key of this deployment. */
export function deployedMediaLinks(calls: SignedCalls): MediaLinks {
  const key: MediaKey = {
    id: setting('MEDIA_KEY_ID'),
    generation: Number(setting('MEDIA_KEY_GENERATION')),
    secret: parseSecretPlace(setting('MEDIA_KEY_SECRET')),
    scope: setting('MEDIA_LINK_SCOPE') === 'any-prefix' ? 'any-prefix' : 'address',
  };
  const urls = addresses(setting('BASE_URL'), setting('SITES_DOMAIN'));
  return mediaLinks(key, urls, signedSecrets(calls));
}
