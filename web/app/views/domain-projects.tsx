import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useChange, useOperation } from '../api/account.ts';
import type { Output } from '../api/contract.ts';
import { texts } from '../texts/en.ts';
import { domainTexts } from '../texts/en-domains.ts';
import { ProjectChoice } from './project-choice.tsx';

const t = domainTexts;

type Domain = Output<'getDomain'>;

/** The projects on a domain, the one that visitors of the bare domain see, and the way to add one. */
export function DomainProjects({ domain }: { domain: Domain }) {
  const isReady = domain.status === 'active' || domain.status === 'ssl_active';
  return (
    <section className="part stack">
      <h2>{t.projectsTitle}</h2>
      <ul className="plain-rows">
        {domain.projects.map(({ id, title, slug }) => (
          <li key={id} className="row">
            <div className="row-main">
              <Link to="/projects/$projectId" params={{ projectId: id }} className="row-title">
                <bdi>{title}</bdi>
              </Link>
              <span className="hint">
                {slug}.{domain.domain}
              </span>
            </div>
          </li>
        ))}
      </ul>
      {isReady ? <AddProject domain={domain} /> : <p className="muted">{t.notReady}</p>}
      {domain.projects.length > 0 && <BareDomain domain={domain} />}
    </section>
  );
}

/** Moves a project to the domain. Its address there is shown before. */
function AddProject({ domain: { id: domainId, domain } }: { domain: Domain }) {
  const [projectId, choose] = useState('');
  const { data } = useOperation('listProjects', { limit: '100' });
  const chosen = data?.projects.find(({ id }) => id === projectId);
  const add = useChange(
    'updateProjectSettings',
    ['getDomain', 'listDomains', 'listProjects', 'getProject'],
    () => choose(''),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ projectId, domainId });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <ProjectChoice
        label={t.addProject}
        none={t.chooseProject}
        required
        value={projectId}
        onChange={({ target }) => choose(target.value)}
        offers={(project) => project.domainId !== domainId}
      />
      {chosen !== undefined && (
        <p className="note" aria-live="polite">
          {texts.settings.newAddress(`${chosen.slug}.${domain}`)}. {t.oldAddress}
        </p>
      )}
      {add.error && <ErrorNote error={add.error} />}
      <div className="choices">
        <button className="button small" disabled={add.isPending}>
          {t.addIt}
        </button>
      </div>
    </form>
  );
}

/** Chooses the project at the bare domain, at once. */
function BareDomain({ domain }: { domain: Domain }) {
  const { id: domainId, projects, rootProjectId } = domain;
  const change = useChange('updateDomain', ['getDomain']);
  return (
    <>
      <label className="field">
        <span>{t.bare(domain.domain)}</span>
        <select
          value={rootProjectId ?? ''}
          disabled={change.isPending}
          onChange={({ target }) =>
            change.mutate({ domainId, rootProjectId: target.value === '' ? null : target.value })
          }
        >
          <option value="">{t.bareNone}</option>
          {projects.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
        <span className="hint">{t.bareHint}</span>
      </label>
      {change.error && <ErrorNote error={change.error} />}
    </>
  );
}
