import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import type { Project } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';
import { isOpenToAll, useOwnerOpening } from './use-owner-opening.ts';

const t = texts.project;

/**
 * The project as visitors see it. The frame gets scripts and its own origin, which is another site, and
 * nothing else: it can neither open windows nor leave the frame.
 */
export function Preview({ project }: { project: Project }) {
  const [isShown, setShown] = useState(false);
  const isVisible = isOpenToAll(project);
  if (project.status !== 'public') return null;
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
      <OwnerLink project={project} />
    </section>
  );
}

/** Opens the project whatever its access; the link works once, so each press makes one. */
function OwnerLink({ project: { id, url } }: { project: Project }) {
  const open = useOwnerOpening(id);
  return (
    <div className="choices">
      <Button disabled={open.isPending} onClick={() => open.mutate(url)}>
        {t.openAsOwner}
      </Button>
      {open.data !== undefined && (
        // Where the browser opened no tab.
        <a href={open.data} target="_blank" rel="noreferrer" onClick={() => open.reset()}>
          {texts.publish.open}
        </a>
      )}
      {open.error && <ErrorNote error={open.error} />}
    </div>
  );
}
