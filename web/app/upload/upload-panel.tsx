import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { texts } from '../texts/en.ts';
import { InterruptedUploads } from './interrupted-card.tsx';
import { uploadStore } from './upload-store.ts';

const loadCard = async () => {
  const [{ UploadCard }] = await Promise.all([
    import('./upload-card.tsx'),
    import('./publish-sent.ts'),
  ]);
  return { default: UploadCard };
};

/** Not in the first view: it is loaded when that is shown, before anything is uploaded. */
const UploadCard = lazy(loadCard);

/** What is being published, over every view. */
export function UploadPanel() {
  const uploads = useSyncExternalStore(uploadStore.subscribe, uploadStore.snapshot);
  useEffect(() => void loadCard().catch(() => undefined), []);
  return (
    <section className="uploads" aria-label={texts.publish.publishing('')} aria-live="polite">
      <InterruptedUploads />
      <Suspense>
        {uploads.map((upload) => (
          <UploadCard key={upload.id} upload={upload} />
        ))}
      </Suspense>
    </section>
  );
}
