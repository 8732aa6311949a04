import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { maxZipBytes } from '../../../../contract/limits.ts';
import { privatePaths } from '../../../../core/content/left-out/sift-paths.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Skeleton } from '../../../ui/query-state.tsx';
import { usePages } from '../../api/use-pages.ts';
import { call } from '../../api/call.ts';
import type { Output } from '../../api/contract.ts';
import { formatBytes } from '../../texts/format.ts';
import { Paid } from '../../shell/paid.tsx';
import { texts } from '../../texts/en.ts';
import { FileButtons } from '../../upload/file-buttons.tsx';
import { DownloadButton } from './download-button.tsx';
import { FileRow } from './file-row.tsx';
import { useProject } from './use-project.ts';

const t = texts.files;

/** The most files that one request lists. */
const pageSize = 1000;
/** CSS pixels; the height of a row until it is measured. */
const rowHeight = 72;

export type ProjectFile = Output<'listProjectFiles'>['files'][number];

/** The files of the live version: look, download, replace, remove, add. */
export function FilesView() {
  const { projectId, project } = useProject();
  const [search, setSearch] = useState('');
  const { data, files, error, refetch } = useFiles(projectId, useDeferredValue(search.trim()));
  return (
    <div className="stack">
      <p className="muted">{t.intro}</p>
      <Paid what={t.paid}>
        <FileButtons
          quiet
          label={t.add}
          target={{ kind: 'files', projectId, projectTitle: project?.title ?? '' }}
        />
      </Paid>
      <search>
        <label className="field">
          <span className="unseen">{t.search}</span>
          <input
            type="search"
            placeholder={t.search}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
      </search>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={6} />}
      {data !== undefined && (
        <>
          <p className="hint" role="status">
            {files.length === 0 ? t.noMatch : t.summary(data.fileCount, formatBytes(data.bytes))}
          </p>
          {data.bytes < maxZipBytes ? (
            <div className="choices">
              <DownloadButton projectId={projectId} label={t.downloadAll} />
            </div>
          ) : (
            <p className="hint">{t.tooLargeForZip(formatBytes(maxZipBytes))}</p>
          )}
          <PrivateFiles files={files} />
          <FileTable projectId={projectId} files={files} version={data.version} />
        </>
      )}
    </div>
  );
}

/** Says which files hardly anybody means to publish. */
function PrivateFiles({ files }: { files: readonly ProjectFile[] }) {
  const found = privatePaths(files.map(({ path }) => path));
  if (found.length === 0) return null;
  return (
    <p className="note" role="status">
      {t.private(found.length, found.slice(0, 3))}
    </p>
  );
}

/** All files of one version. The next page is read until there is none: each has a thousand. */
function useFiles(projectId: string, q: string) {
  const query = usePages('listProjectFiles', [projectId, q], (cursor, options) =>
    call('listProjectFiles', { projectId, q: q || undefined, limit: pageSize, cursor }, options),
  );
  const { hasNextPage, isFetching, error, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && error === null) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  const pages = query.data?.pages ?? [];
  return { ...query, data: pages[0], files: pages.flatMap((page) => page.files) };
}

/** Only rows near the visible part are elements: a project may have 20,000 files. */
function FileTable({ projectId, files, version }: FileTableProps) {
  const list = useRef<HTMLUListElement>(null);
  const rows = useWindowVirtualizer({
    count: files.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => files[index]?.path ?? index,
  });
  return (
    <ul ref={list} className="rows" aria-label={t.list} style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ index, key, start }) => {
        const file = files[index];
        if (file === undefined) return null;
        return (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            aria-setsize={files.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - rows.options.scrollMargin}px)` }}
          >
            <FileRow projectId={projectId} file={file} version={version} />
          </li>
        );
      })}
    </ul>
  );
}

interface FileTableProps {
  projectId: string;
  files: readonly ProjectFile[];
  version: number;
}
