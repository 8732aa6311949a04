import { projectTypeNames } from '../../../../contract/type-names.ts';
import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { LoadingDialog } from '../../../ui/loading-dialog.tsx';
import { Protection } from '../../../ui/protection.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Project } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';
import { thumbnailKey } from '../../upload/upload-state.ts';

const t = texts.projects;

const RowMenu = lazy(async () => ({ default: (await import('./row-menu.tsx')).RowMenu }));
const BulkActions = lazy(async () => ({
  default: (await import('./bulk-actions.tsx')).BulkActions,
}));

/** What stands for a project without a small picture; the others' types are short words. */
const kindMarks: Partial<Record<Project['type'], string>> = {
  html: 'page',
  zip: 'site',
  presentation: 'slides',
  document: 'text',
  markdown: 'text',
  python: 'code',
  model3d: '3D',
};

/** CSS pixels; the height of a row until it is measured. */
const rowHeight = 72;

/** The list. Only rows near the visible part are elements: an account may have 10,000 projects. */
export function ProjectTable({ projects, isArchived, hasMore, onEnd }: ProjectTableProps) {
  const list = useRef<HTMLUListElement>(null);
  const { selected, toggle, clear } = useSelection();
  const rows = useWindowVirtualizer({
    count: projects.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => projects[index]?.id ?? index,
  });
  const items = rows.getVirtualItems();
  const isAtEnd = (items.at(-1)?.index ?? 0) >= projects.length - 1;
  useEffect(() => {
    if (isAtEnd && hasMore) onEnd();
  }, [isAtEnd, hasMore, onEnd]);
  const chosen = projects.filter(({ id }) => selected.has(id));
  return (
    <>
      {chosen.length > 0 && (
        <Suspense>
          <BulkActions projects={chosen} isArchived={isArchived} onDone={clear} />
        </Suspense>
      )}
      <ul ref={list} className="rows" aria-label={t.list} style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const project = projects[index];
          if (project === undefined) return null;
          const offset = start - rows.options.scrollMargin;
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-setsize={hasMore ? -1 : projects.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${offset}px)` }}
            >
              <ProjectRow
                project={project}
                isSelected={selected.has(project.id)}
                onToggle={() => toggle(project.id)}
              />
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface ProjectTableProps {
  projects: Project[];
  isArchived: boolean;
  /** Whether there are projects behind these. */
  hasMore: boolean;
  /** Called when the last of them is shown. */
  onEnd: () => void;
}

function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  return { selected, toggle, clear: () => setSelected(new Set()) };
}

/** The small picture that this browser drew when it published the project, or the mark of its type. */
function Thumbnail({ project: { id, type } }: { project: Project }) {
  const drawn = localStorage.getItem(thumbnailKey(id));
  return (
    <span className="thumbnail" aria-hidden="true">
      {drawn === null ? (kindMarks[type] ?? type) : <img src={drawn} alt="" />}
    </span>
  );
}

function ProjectRow({ project, isSelected, onToggle }: ProjectRowProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { id, title, url, type, opens, createdAt, expiresAt } = project;
  return (
    <div className="row" data-selected={isSelected}>
      <input
        type="checkbox"
        checked={isSelected}
        aria-label={t.select(title)}
        onChange={onToggle}
      />
      <Thumbnail project={project} />
      <div className="row-main">
        <Link to="/projects/$projectId" params={{ projectId: id }} className="row-title">
          <bdi>{title}</bdi>
        </Link>
        <a className="row-url" href={url} target="_blank" rel="noreferrer">
          {url.replace(/^https?:\/\//, '')}
        </a>
      </div>
      <span className="kind hint">
        <span>{projectTypeNames[type]}</span>
        {opens !== undefined && <span>{t.opens(opens)}</span>}
      </span>
      <Protection project={project} />
      {expiresAt === null ? (
        <Time at={createdAt} form="ago" className="when hint" />
      ) : (
        <Time at={expiresAt} form="day" text={t.expires} className="when hint" />
      )}
      <CopyButton text={url} />
      <Button aria-haspopup="dialog" aria-label={t.menuOf(title)} onClick={() => setOpen(true)}>
        ⋯
      </Button>
      {isOpen && (
        <Suspense fallback={<LoadingDialog title={title} onClose={close} />}>
          <RowMenu project={project} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}

interface ProjectRowProps {
  project: Project;
  isSelected: boolean;
  onToggle: () => void;
}
