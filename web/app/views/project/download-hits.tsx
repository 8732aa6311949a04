import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { texts } from '../../texts/en.ts';
import { hitPage } from '../../api/hit-page.ts';
import { allHits } from './hit-pages.ts';

const t = texts.project;

/** Saves every hit, however many pages they have. */
export function DownloadHits({ projectId, name }: { projectId: string; name: string }) {
  const [page, setPage] = useState(0);
  const download = useMutation({
    mutationFn: () => allHits(projectId, (address) => hitPage(address), setPage),
    onSuccess: (csv) => save(csv, `${name}-page-views.csv`),
  });
  return (
    <div className="stack">
      <p>
        <Button disabled={download.isPending} onClick={() => download.mutate()}>
          {download.isPending ? t.csvReading(page) : t.csv}
        </Button>
      </p>
      {download.error && <ErrorNote error={download.error} />}
    </div>
  );
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
