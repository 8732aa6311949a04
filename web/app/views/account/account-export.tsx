import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { call } from '../../api/call.ts';
import type { Output } from '../../api/contract.ts';
import { exportTexts as t } from '../../texts/en-account.ts';

/** Its packages are larger than the rest of the view, which does not wait for them. */
const AccountZip = lazy(async () => ({ default: (await import('./account-zip.tsx')).AccountZip }));

/** Reads every page of the export and saves them as one file. */
export function AccountExport() {
  const [count, setCount] = useState(0);
  const read = useMutation({
    async mutationFn() {
      const pages: Output<'exportAccount'>[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await call('exportAccount', cursor ? { cursor } : {});
        pages.push(page);
        setCount(pages.reduce((sum, { projects }) => sum + projects.length, 0));
        cursor = page.next;
      } while (cursor !== null);
      save(JSON.stringify(pages));
    },
  });
  return (
    <section className="part">
      <h2>{t.title}</h2>
      <p className="muted">{t.files}</p>
      <Suspense fallback={<ZipUnready />}>
        <AccountZip />
      </Suspense>
      <details>
        <summary>{t.forPrograms}</summary>
        <p className="muted">{t.text}</p>
        <Button looks="quiet" disabled={read.isPending} onClick={() => read.mutate()}>
          {t.start}
        </Button>
      </details>
      {read.isPending && <p role="status">{t.reading(count)}</p>}
      {read.error && <ErrorNote error={read.error} onRetry={() => read.mutate()} />}
    </section>
  );
}

/** The button, before it can do something. */
function ZipUnready() {
  return (
    <div className="choices">
      <Button looks="quiet" disabled>
        {t.zip}
      </Button>
    </div>
  );
}

function save(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = 'export.json';
  link.click();
  URL.revokeObjectURL(link.href);
}
