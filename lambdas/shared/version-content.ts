import { contentBucket } from '../../adapters/s3/content-bucket.ts';
import type { ContentStore } from '../../core/ports.ts';
import { setting } from './settings.ts';

/** Only hostile code takes longer to colour; the request that publishes it has 29 s. */
const renderMs = 5000;

/** The store of versions, which also renders text files. */
export function versionContent(): ContentStore {
  return {
    ...contentBucket(setting('CONTENT_BUCKET')),
    async renderText(text) {
      // Loaded here because it contains every language, and most uploads are not a single text.
      const { textMarkup } = await import('../../web/pages/viewers/text-markup.ts');
      return textMarkup(text, renderMs);
    },
  };
}
