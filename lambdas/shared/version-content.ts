import { contentBucket } from '../../adapters/s3/content-bucket.ts';
import { signedCalls } from '../../adapters/signed-calls/signed-calls.ts';
import { signedObjects } from '../../adapters/signed-calls/signed-services.ts';
import { secretFinder } from '../../core/content/secrets/find-secrets.ts';
import type { ContentStore } from '../../core/ports.ts';
import { awsEnvironment, setting } from './settings.ts';

/** Highlighting takes longer only for hostile code; the request that publishes it has 29 s. */
const renderMs = 5000;

/** A pack has some 40 MiB. A retry may reach a less busy partition of S3. */
const patience = { connectMs: 1000, silenceMs: 5000, totalMs: 20_000 };

/**
 * The store of versions, which also renders text files and searches uploads for keys. It writes
 * files without the SDK, which needs several times the processor time for each, and a site may have
 * thousands.
 */
export function versionContent(): ContentStore {
  const bucket = setting('CONTENT_BUCKET');
  const { put } = signedObjects(signedCalls(awsEnvironment(), patience), bucket);
  return {
    ...contentBucket(bucket),
    put,
    findSecrets: secretFinder(setting('KEY_PREFIX')),
    async findPictures(text, limitMs) {
      const { remotePicturesOf } = await import('../../web/pages/viewers/text-markup.ts');
      return remotePicturesOf(text, limitMs);
    },
    async renderText(text) {
      // Loaded here because it contains every language, and most uploads are not a single text.
      const { textMarkup } = await import('../../web/pages/viewers/text-markup.ts');
      return textMarkup(text, renderMs);
    },
  };
}
