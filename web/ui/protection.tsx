import type { Project } from '../app/api/contract.ts';
import { texts } from '../app/texts/en.ts';

const t = texts.projects.protections;

/** Who can see a project now, or why nobody can. */
export function Protection({ project }: { project: Project }) {
  const kind = protectionOf(project);
  return (
    <span className="badge" data-protection={kind}>
      {locked.has(kind) && <Lock />}
      {t[kind]}
    </span>
  );
}

const locked: ReadonlySet<keyof typeof t> = new Set(['password', 'people', 'identify', 'onlyYou']);

/** The first of these that holds decides what a visitor gets. */
function protectionOf({ takedown, archivedAt, status, access }: Project): keyof typeof t {
  if (takedown) return 'takenDown';
  if (archivedAt !== null) return 'archived';
  if (status === 'expired' || status === 'uploading') return status;
  if (status === 'private') return 'draft';
  return access === 'private' ? 'onlyYou' : access;
}

function Lock() {
  return (
    <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true" fill="currentColor">
      <path d="M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z" />
    </svg>
  );
}
