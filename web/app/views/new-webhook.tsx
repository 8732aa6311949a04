import { type FormEvent, useState } from 'react';
import { ErrorNote } from '../../ui/error-note.tsx';
import type { useChange } from '../api/account.ts';
import { webhookTexts as t } from '../texts/en-webhooks.ts';
import { ProjectChoice } from './project-choice.tsx';

const projectEvents = [
  'version.published',
  'project.opened',
  'project.first_opened',
  'upload.received',
  'link.exhausted',
  'project.expiring',
  'project.taken_down',
] as const;
/** What is about no single project. */
const accountEvents = ['domain.failed', 'quota.near'] as const;

/** The form that adds a webhook: its address, its project, and what it is told of. */
export function NewWebhook({ create }: { create: ReturnType<typeof useChange<'createWebhook'>> }) {
  const [projectId, setProject] = useState('');
  const events = projectId === '' ? [...projectEvents, ...accountEvents] : projectEvents;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const url = form.get('url');
    const chosen = events.filter((name) => form.has(name));
    if (typeof url !== 'string') return;
    create.mutate({ url: url.trim(), events: chosen, ...(projectId !== '' && { projectId }) });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <label className="field">
        <span>{t.url}</span>
        <input name="url" type="url" required maxLength={2000} autoComplete="off" />
        <span className="hint">{t.urlHint}</span>
      </label>
      <ProjectChoice
        label={t.projects}
        none={t.allProjects}
        value={projectId}
        onChange={({ target }) => setProject(target.value)}
      />
      <fieldset className="choices">
        <legend>{t.events}</legend>
        {events.map((name) => (
          <label key={name} className="option">
            <input type="checkbox" name={name} defaultChecked={name === 'version.published'} />
            <span>{t.of[name]}</span>
          </label>
        ))}
      </fieldset>
      {create.error && <ErrorNote error={create.error} />}
      <div className="choices">
        <button className="button small" disabled={create.isPending}>
          {t.create}
        </button>
      </div>
    </form>
  );
}
