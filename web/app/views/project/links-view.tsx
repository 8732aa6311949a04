import { type FormEvent, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ConfirmButton } from '../../../ui/confirm.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Rows } from '../../../ui/rows.tsx';
import { Time } from '../../../ui/time.tsx';
import { useChange, useOperation } from '../../api/account.ts';
import type { Input, Output } from '../../api/contract.ts';
import { linkTexts as t } from '../../texts/en-links.ts';
import { localTime } from './expiry-field.tsx';
import { NotifyField } from './settings-fields.tsx';
import { Switch } from './visitor-fields.tsx';
import { useProject } from './use-project.ts';

type ShareLink = Output<'listShareLinks'>['links'][number];
type Choices = Omit<Input<'createShareLink'>, 'projectId'>;

/** The share links of a project: for whom, how often each was opened, and its end. */
export function LinksView() {
  const { projectId } = useProject();
  const query = useOperation('listShareLinks', { projectId });
  const create = useChange('createShareLink', ['listShareLinks']);
  return (
    <div className="stack">
      <p className="muted">{t.intro}</p>
      <section className="card stack" aria-label={t.create}>
        <LinkForm
          key={create.data?.id}
          action={t.create}
          change={create}
          onSubmit={(choices) => create.mutate({ projectId, ...choices })}
        />
        {create.data && (
          <div role="status">
            <p>{t.created}</p>
            <p className="address">
              <code>{create.data.url}</code>
              <CopyButton text={create.data.url} />
            </p>
          </div>
        )}
      </section>
      <QueryState query={query}>
        {({ links }) => (
          <Rows items={links} empty={t.empty}>
            {(link) => <LinkRow key={link.id} projectId={projectId} link={link} />}
          </Rows>
        )}
      </QueryState>
    </div>
  );
}

interface LinkFormProps {
  /** The link that is changed; undefined for a new one. */
  link?: ShareLink;
  action: string;
  change: { isPending: boolean; error: Error | null };
  onSubmit: (choices: Choices) => void;
}

function LinkForm({ link, action, change, onSubmit }: LinkFormProps) {
  const { name, expiresAt = null, maxOpens = null } = link ?? {};
  const [downloads, setDownloads] = useState(link?.downloads ?? true);
  const { notify: before = 'off' } = link ?? {};
  const [notify, setNotify] = useState(before);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const choices = choicesOf(new FormData(event.currentTarget), link);
    onSubmit({ ...choices, downloads, ...(notify !== before && { notify }) });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <label className="field">
        <span>{t.name}</span>
        <input name="name" required maxLength={100} defaultValue={name} autoComplete="off" />
        <span className="hint">{t.nameHint}</span>
      </label>
      <label className="field">
        <span>{t.end}</span>
        <input
          name="end"
          type="datetime-local"
          defaultValue={expiresAt === null ? '' : localTime(new Date(expiresAt))}
        />
        <span className="hint">{t.endHint}</span>
      </label>
      <label className="field">
        <span>{t.maxOpens}</span>
        <input
          name="maxOpens"
          type="number"
          min={1}
          max={1_000_000}
          defaultValue={maxOpens ?? ''}
        />
        <span className="hint">{t.maxOpensHint}</span>
      </label>
      <NotifyField notify={notify} set={(chosen) => setNotify(chosen.notify)} />
      {link === undefined && <PasswordChoice />}
      <Switch label={t.downloads} isOn={downloads} onChange={setDownloads} />
      {change.error && <ErrorNote error={change.error} />}
      <div className="choices">
        <button className="button small" disabled={change.isPending}>
          {action}
        </button>
      </div>
    </form>
  );
}

function PasswordChoice() {
  return (
    <label className="field">
      <span>{t.password}</span>
      <input name="password" maxLength={255} autoComplete="off" spellCheck={false} />
      <span className="hint">{t.passwordHint}</span>
    </label>
  );
}

/** What was entered; an end that was not touched keeps its seconds. */
function choicesOf(form: FormData, link: ShareLink | undefined): Choices {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const [end, maxOpens, password] = [text('end'), text('maxOpens'), text('password')];
  const kept = link?.expiresAt ?? null;
  const isKept = kept !== null && end === localTime(new Date(kept));
  return {
    name: text('name'),
    ...(!isKept && { expiresAt: end === '' ? null : new Date(end).toISOString() }),
    maxOpens: maxOpens === '' ? null : Number(maxOpens),
    ...(password !== '' && { password }),
  };
}

function LinkRow({ projectId, link }: { projectId: string; link: ShareLink }) {
  const [isChanging, setChanging] = useState(false);
  const change = useChange('updateShareLink', ['listShareLinks'], () => setChanging(false));
  const linkId = link.id;
  return (
    <li className="row wrap">
      <LinkFacts link={link} />
      <Button aria-expanded={isChanging} onClick={() => setChanging(!isChanging)}>
        {t.change}
      </Button>
      <ConfirmButton
        title={t.removeTitle}
        text={t.removeText}
        action={t.remove}
        operation="deleteShareLink"
        input={{ projectId, linkId }}
        changes={['listShareLinks']}
      />
      {isChanging && (
        <div className="full">
          <LinkForm
            link={link}
            action={t.save}
            change={change}
            onSubmit={(choices) => change.mutate({ projectId, linkId, ...choices })}
          />
        </div>
      )}
    </li>
  );
}

function LinkFacts({ link }: { link: ShareLink }) {
  const { name, recipients, state, opens, lastOpenedAt, expiresAt } = link;
  const { maxOpens, usedOpens, hasPassword, downloads, version } = link;
  const facts = [
    maxOpens !== null && t.used(usedOpens, maxOpens),
    hasPassword && t.withPassword,
    !downloads && t.noDownloads,
    version !== null && t.ofVersion(version),
  ].filter((fact) => fact !== false);
  return (
    <div className="row-main">
      <strong>
        <bdi>{name}</bdi> {state !== 'active' && <span className="badge">{t.state[state]}</span>}
      </strong>
      <span className="hint">
        {[t.opens(opens), ...facts].join(' · ')}
        {lastOpenedAt !== null && ' · '}
        {lastOpenedAt !== null && <Time at={lastOpenedAt} form="ago" text={t.lastOpened} />}
        {expiresAt !== null && ' · '}
        {expiresAt !== null && <Time at={expiresAt} text={t.ends} />}
      </span>
      {recipients.length > 0 && <span className="hint">{recipients.join(', ')}</span>}
    </div>
  );
}
