import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
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
      <Ended project={project} />
    </>
  );
}

/** Says that nobody can open the project any more, with the button that changes it. */
function Ended({
  project: { id: projectId, archivedAt, status, expiresAt },
}: {
  project: Project;
}) {
  const unarchive = useChange('unarchiveProject', changed);
  const prolong = useChange('updateProjectSettings', changed);
  const isArchived = archivedAt !== null;
  if (!isArchived && status !== 'expired') return null;
  const at = isArchived ? archivedAt : expiresAt;
  const { error } = isArchived ? unarchive : prolong;
  const revive = () =>
    isArchived ? unarchive.mutate({ projectId }) : prolong.mutate({ projectId, expiresAt: null });
  return (
    <section className="banner stack" aria-label={isArchived ? t.archivedOn : t.expired}>
      <p>
        <strong>{isArchived ? t.archivedOn : t.expired}</strong>
        {at !== null && (
          <>
            {' '}
            · <Time at={at} />
          </>
        )}
        . {isArchived ? t.archivedText : t.expiredText}
      </p>
      <div className="choices">
        <button
          type="button"
          className="button small"
          disabled={unarchive.isPending || prolong.isPending}
          onClick={revive}
        >
          {t.revive}
        </button>
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
