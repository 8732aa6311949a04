import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { useChange, useOperation } from '../../api/account.ts';
import type { Project } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';

const t = texts.project;

/** How often a project that is being stored is read again. */
const uploadingMs = 2000;

/** One project: its address, and the parts of its page. */
export function ProjectView() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' });
  const query = useOperation('getProject', { projectId });
  // Reads it again while it is stored.
  useOperation(
    'getProject',
    { projectId },
    query.data?.status === 'uploading' ? { refetchInterval: uploadingMs } : {},
  );
  return (
    <QueryState query={query} title={t.unread}>
      {(project) => <ProjectFrame project={project} />}
    </QueryState>
  );
}

/** Publishes a copy of a project and opens it. */
function useDuplicating() {
  const navigate = useNavigate();
  return useChange('duplicateProject', ['listProjects', 'getUser'], ({ projectId }) => {
    void navigate({ to: '/projects/$projectId', params: { projectId } });
  });
}

/** Whether the claim page led here; a reload does not say it again. */
function useIsJustClaimed(): boolean {
  const [isNew] = useState(() => location.hash === '#yours');
  const navigate = useNavigate();
  useEffect(() => {
    if (isNew) void navigate({ to: '.', hash: '', replace: true });
  }, [isNew, navigate]);
  return isNew;
}

/** What comes next for a project that was just claimed. */
function Yours({ project: { id: projectId, url } }: { project: Project }) {
  const settings = { to: '/projects/$projectId/settings', params: { projectId } } as const;
  return (
    <section className="card stack" aria-labelledby="yours">
      <h2 id="yours">{t.yours}</h2>
      <p>{t.yoursNext}</p>
      <div className="choices">
        <Link className="button quiet small" {...settings}>
          {t.nameIt}
        </Link>
        <Link className="button quiet small" {...settings}>
          {t.setPassword}
        </Link>
        <CopyButton text={url} />
      </div>
    </section>
  );
}

function ProjectFrame({ project }: { project: Project }) {
  const { id: projectId, title, url, status, takedown } = project;
  const params = { projectId };
  const duplicate = useDuplicating();
  const isNew = useIsJustClaimed();
  return (
    <>
      <PageHead title={title}>
        <p className="address">
          <a href={url} target="_blank" rel="noreferrer">
            {url.replace(/^https?:\/\//, '')}
          </a>
          <CopyButton text={url} />
          <span className="badge" data-status={status}>
            {texts.projects.statuses[status]}
          </span>
          <button
            type="button"
            className="button quiet small"
            title={t.duplicateHint}
            disabled={duplicate.isPending}
            onClick={() => duplicate.mutate({ projectId })}
          >
            {duplicate.isPending ? t.duplicating : t.duplicate}
          </button>
        </p>
      </PageHead>
      {duplicate.error && <ErrorNote error={duplicate.error} />}
      {takedown && <p className="fault">{t.takedown(takedown.reason)}</p>}
      {isNew && <Yours project={project} />}
      <nav className="tabs" aria-label={t.tabs.label}>
        <Link to="/projects/$projectId" params={params} activeOptions={{ exact: true }}>
          {t.tabs.overview}
        </Link>
        <Link to="/projects/$projectId/files" params={params}>
          {t.tabs.files}
        </Link>
        <Link to="/projects/$projectId/versions" params={params}>
          {t.tabs.versions}
        </Link>
        <Link to="/projects/$projectId/settings" params={params}>
          {t.tabs.settings}
        </Link>
      </nav>
      <Outlet />
    </>
  );
}
