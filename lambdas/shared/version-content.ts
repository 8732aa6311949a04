import { contentBucket } from '../../adapters/s3/content-bucket.ts';
import type { ContentStore } from '../../core/ports.ts';
import { setting } from './settings.ts';

/** Only text that was made to take for ever takes longer; the request that publishes it has 29 s. */
const renderMs = 5000;

/** Where versions are stored, with what makes the pages of texts. */
export function versionContent(): ContentStore {
  return {
    ...contentBucket(setting('CONTENT_BUCKET')),
    async renderText(text) {
      // It brings every language along, and most uploads are no single text.
      const { textMarkup } = await import('../../web/pages/viewers/text-markup.ts');
      return textMarkup(text, renderMs);
    },
  };
}
