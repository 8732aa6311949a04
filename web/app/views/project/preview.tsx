import { useState } from 'react';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useChange } from '../../api/account.ts';
import type { Project } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';

const t = texts.project;

/**
 * The project as visitors see it. The frame gets scripts and its own origin, which is another site, and
 * nothing else: it can neither open windows nor leave the frame.
 */
export function Preview({ project }: { project: Project }) {
  const [isShown, setShown] = useState(false);
  const isVisible = project.status === 'public' && project.access === 'public';
  return (
    <section className="preview" aria-label={t.preview}>
      {isShown && (
        <iframe
          title={t.preview}
          src={project.url}
          loading="lazy"
          sandbox="allow-scripts allow-same-origin allow-forms"
          referrerPolicy="no-referrer"
        />
      )}
      {isVisible && !isShown && (
        <button type="button" className="unshown" onClick={() => setShown(true)}>
          <span className="button quiet">{t.show}</span>
          <span className="hint">{t.showHint}</span>
        </button>
      )}
      <OwnerLink projectId={project.id} />
    </section>
  );
}

/** Opens the project whatever its access; the link works once, so each press makes one. */
function OwnerLink({ projectId }: { projectId: string }) {
  const [isBlocked, setBlocked] = useState<string>();
  const create = useChange('createViewLink', [], ({ url }) => {
    const opened = window.open(url, '_blank', 'noreferrer');
    // `noreferrer` returns null also for a window that opened; the link below helps where none did.
    if (opened === null) setBlocked(url);
  });
  return (
    <div className="choices">
      <button
        type="button"
        className="button quiet small"
        disabled={create.isPending}
        onClick={() => create.mutate({ projectId })}
      >
        {t.openAsOwner}
      </button>
      {isBlocked !== undefined && (
        <a href={isBlocked} target="_blank" rel="noreferrer" onClick={() => setBlocked(undefined)}>
          {texts.publish.open}
        </a>
      )}
      {create.error && <ErrorNote error={create.error} />}
    </div>
  );
}
