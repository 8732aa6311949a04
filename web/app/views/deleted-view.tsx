import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { InlineForm } from '../../ui/inline-form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Rows, RowText } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../api/account.ts';
import { usePages } from '../api/use-pages.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import type { Output } from '../api/contract.ts';
import { formatBytes } from '../texts/format.ts';
import { deletedTexts as t } from '../texts/en-deleted.ts';

/** Deleted projects, while they can be restored. */
export function DeletedView() {
  const query = usePages('listDeletedProjects', ['pages'], (cursor, options) =>
    call('listDeletedProjects', { cursor }, options),
  );
  return (
    <>
      <PageHead title={t.title} intro={t.intro} />
      <QueryState query={query}>
        {({ pages }) => (
          <Rows items={pages.flatMap((page) => page.projects)} empty={t.empty}>
            {(project) => <DeletedRow key={project.id} project={project} />}
          </Rows>
        )}
      </QueryState>
      <MoreButton query={query} label={t.more} />
    </>
  );
}

type Deleted = Output<'listDeletedProjects'>['projects'][number];

function DeletedRow({ project }: { project: Deleted }) {
  const { id: projectId, title, url, bytes, deletedAt, restorableUntil } = project;
  const restore = useChange('restoreProject', ['listDeletedProjects', 'listProjects', 'getUser']);
  const isInUse = restore.error instanceof ApiError && restore.error.code === 'SLUG_TAKEN';
  // Stays true while another address is tried, and after that has failed.
  const [needsAddress, setNeedsAddress] = useState(false);
  if (isInUse && !needsAddress) setNeedsAddress(true);
  return (
    <li className="row wrap">
      <RowText name={title}>
        {url.replace(/^https?:\/\//, '')} · {formatBytes(bytes)} ·{' '}
        <Time at={deletedAt} form="ago" /> · <Time at={restorableUntil} form="day" text={t.until} />
      </RowText>
      <Button
        aria-label={t.restoreOf(title)}
        disabled={restore.isPending}
        onClick={() => restore.mutate({ projectId })}
      >
        {t.restore}
      </Button>
      {needsAddress ? (
        <InlineForm
          label={t.otherAddress}
          action={t.restore}
          required
          maxLength={63}
          change={restore}
          run={(slug) => restore.mutate({ projectId, slug })}
        />
      ) : (
        restore.error && <ErrorNote error={restore.error} />
      )}
    </li>
  );
}
