import { Link, Outlet, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { Protection } from '../../../ui/protection.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { useChange, useOperation } from '../../api/account.ts';
import type { Project } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';
import { ProjectState } from './project-state.tsx';

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

function ProjectFrame({ project }: { project: Project }) {
  const { id: projectId, title, url } = project;
  const duplicate = useDuplicating();
  return (
    <>
      <PageHead title={title}>
        <p className="address">
          <a href={url} target="_blank" rel="noreferrer">
            {url.replace(/^https?:\/\//, '')}
          </a>
          <CopyButton text={url} />
          <Protection project={project} />
          <Button
            title={t.duplicateHint}
            disabled={duplicate.isPending}
            onClick={() => duplicate.mutate({ projectId })}
          >
            {duplicate.isPending ? t.duplicating : t.duplicate}
          </Button>
        </p>
      </PageHead>
      {duplicate.error && <ErrorNote error={duplicate.error} />}
      <ProjectState project={project} />
      <Tabs projectId={projectId} />
      <Outlet />
    </>
  );
}

/** The parts of the project's page. Where they are wider than a phone, the one that is shown is in sight. */
function Tabs({ projectId }: { projectId: string }) {
  const params = { projectId };
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    const shown = tabs.current?.querySelector<HTMLElement>('[aria-current]');
    if (!tabs.current || !shown) return;
    const before = shown.offsetLeft - tabs.current.offsetLeft;
    tabs.current.scrollLeft = before - (tabs.current.clientWidth - shown.offsetWidth) / 2;
  }, [path]);
  return (
    <nav className="tabs" aria-label={t.tabs.label} ref={tabs}>
      <Link to="/projects/$projectId" params={params} activeOptions={{ exact: true }}>
        {t.tabs.overview}
      </Link>
      <Link to="/projects/$projectId/links" params={params}>
        {t.tabs.links}
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
  );
}
