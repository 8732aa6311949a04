import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Contact } from '../../../ui/contact.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Time } from '../../../ui/time.tsx';
import { useChange } from '../../api/account.ts';
import type { Project } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';

const t = texts.project;
const changed = ['getProject', 'listProjects', 'getUser'] as const;

/** What somebody should know about a project before anything else. */
export function ProjectState({ project }: { project: Project }) {
  const isNew = useIsJustClaimed();
  return (
    <>
      {isNew && <Yours project={project} />}
      {project.takedown && (
        <div className="fault">
          <p>{t.takedown(project.takedown.reason)}</p>
          <div className="choices">
            <Contact />
          </div>
        </div>
      )}
      <Closed project={project} />
    </>
  );
}

/** Says that nobody can open the project, with the button that changes it. */
function Closed({ project }: { project: Project }) {
  const { id: projectId, archivedAt, status, expiresAt } = project;
  const unarchive = useChange('unarchiveProject', changed);
  const save = useChange('updateProjectSettings', changed);
  const state = archivedAt === null ? status : 'archived';
  if (state !== 'archived' && state !== 'expired' && state !== 'private') return null;
  const { title, text, open } = t.closed[state];
  const at = { archived: archivedAt, expired: expiresAt, private: null }[state];
  const change = {
    archived: () => unarchive.mutate({ projectId }),
    expired: () => save.mutate({ projectId, expiresAt: null }),
    private: () => save.mutate({ projectId, status: 'public' }),
  }[state];
  const error = unarchive.error ?? save.error;
  return (
    <section className="banner stack" aria-label={title}>
      <p>
        <strong>{title}</strong>
        {at !== null && (
          <>
            {' '}
            · <Time at={at} />
          </>
        )}
        . {text}
      </p>
      <div className="choices">
        <Button looks="small" disabled={unarchive.isPending || save.isPending} onClick={change}>
          {open}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
    </section>
  );
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
