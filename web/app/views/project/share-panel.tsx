import { type FormEvent, lazy, Suspense, useState } from 'react';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useChange } from '../../api/account.ts';
import type { Project } from '../../api/contract.ts';
import { Paid, usePlan } from '../../shell/paid.tsx';
import { formatInstant } from '../../texts/format.ts';
import { texts } from '../../texts/en.ts';
import { ExpiryField } from './expiry-field.tsx';
import {
  accessChoices,
  isForPeople,
  NotifyField,
  PasswordField,
  PasswordSet,
} from './settings-fields.tsx';
import type { Change } from './settings-form.ts';

const t = texts.project;

const PeopleFields = lazy(async () => ({
  default: (await import('./people-fields.tsx')).PeopleFields,
}));

/** Everything that sharing takes: the link, who can see it, the password, the end, QR code and embed code. */
export function SharePanel({ project }: { project: Project }) {
  const { id: projectId, url, expiresAt } = project;
  const save = useChange('updateProjectSettings', ['getProject', 'listProjects', 'listVisitors']);
  // What was just set is known here only, until somebody leaves.
  const [password, setPassword] = useState<string>();
  const change = (fields: Omit<Change, 'projectId'>) => save.mutate({ projectId, ...fields });
  const both = password === undefined ? url : t.bothOf(url, password);
  const all = expiresAt === null ? both : `${both}\n${t.endsOn(formatInstant(expiresAt))}`;
  return (
    <section className="card stack" aria-labelledby="share">
      <h2 id="share">{t.share}</h2>
      <p className="address">
        <a href={url} target="_blank" rel="noreferrer">
          {url.replace(/^https?:\/\//, '')}
        </a>
        <CopyButton text={url} />
      </p>
      <Paid what={t.changes}>
        <AccessChoice
          project={project}
          change={change}
          onChange={(next, entered) => {
            setPassword(entered);
            change({ access: next, ...(entered !== undefined && { password: entered }) });
          }}
        />
        {password !== undefined && save.isSuccess && (
          <div className="choices">
            <CopyButton text={both} label={t.copyBoth} />
          </div>
        )}
        <ExpiryField
          key={expiresAt}
          isSavedAtOnce
          now={expiresAt}
          onChange={(end) => {
            if (Object.keys(end).length > 0) change(end);
          }}
        />
        <NotifyField notify={project.notify} set={change} />
      </Paid>
      {save.error && <ErrorNote error={save.error} />}
      <p className="hint" role="status">
        {save.isPending && texts.states.saving}
        {save.isSuccess && texts.states.saved}
        {save.isIdle && t.savedAtOnce}
      </p>
      <Codes project={project} all={all} />
    </section>
  );
}

type Access = Project['access'];

/** Who can see it; a password is asked for before it protects. */
function AccessChoice({ project, change, onChange }: AccessChoiceProps) {
  const { access } = project;
  const [chosen, setChosen] = useState(access);
  const [isChanging, setChanging] = useState(false);
  const [entered, setEntered] = useState('');
  const isSet = access === 'password' && !isChanging;
  const choose = (value: string) => {
    const next = accessChoices.find(([one]) => one === value)?.[0] ?? access;
    setChosen(next);
    // Nobody could come in before there is a list.
    if (next !== 'password' && next !== 'people') onChange(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange('password', entered);
    setEntered('');
    setChanging(false);
  };
  return (
    <>
      <div className="field">
        <label htmlFor="access">{texts.settings.access}</label>
        <select id="access" value={chosen} onChange={({ target }) => choose(target.value)}>
          {accessChoices.map(([one, label]) => (
            <option key={one} value={one}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {chosen === 'password' && isSet && <PasswordSet onChange={() => setChanging(true)} />}
      {chosen === 'password' && !isSet && (
        <form className="stack" onSubmit={submit}>
          <PasswordField value={entered} required onChange={setEntered} />
          <div className="choices">
            <button className="button small">{t.setAtOnce}</button>
          </div>
        </form>
      )}
      <Suspense fallback={texts.states.loading}>
        {isForPeople(chosen) && (
          <PeopleFields key={chosen} project={project} access={chosen} change={change} />
        )}
      </Suspense>
    </>
  );
}

interface AccessChoiceProps {
  project: Project;
  change: (fields: Omit<Change, 'projectId'>) => void;
  onChange: (access: Access, password?: string) => void;
}

/** The link as a QR code, as code for other pages, and everything as one text. */
function Codes({ project: { id, url, title, slug, status }, all }: CodesProps) {
  const embed = `<iframe src="${escaped(url)}" title="${escaped(title)}" width="800" height="600"></iframe>`;
  const isOpen = status === 'public';
  const plan = usePlan();
  return (
    <>
      {isOpen && (
        <details>
          <summary>{t.qr}</summary>
          {plan?.tier === 'free' ? (
            <Paid what={t.qrCodes} />
          ) : (
            <div className="qr">
              <img src={`/qr/${id}.svg`} alt={url} width="160" height="160" loading="lazy" />
              <div className="choices">
                <a
                  className="button quiet small"
                  href={`/qr/${id}.png?size=1024`}
                  download={`${slug}.png`}
                >
                  {t.png}
                </a>
                <a className="button quiet small" href={`/qr/${id}.svg`} download={`${slug}.svg`}>
                  {t.svg}
                </a>
              </div>
            </div>
          )}
        </details>
      )}
      <details>
        <summary>{t.embed}</summary>
        <p className="address">
          <code>{embed}</code>
          <CopyButton text={embed} />
        </p>
      </details>
      <div className="choices">
        <CopyButton text={all} label={t.copyAll} />
      </div>
    </>
  );
}

interface CodesProps {
  project: Project;
  /** Link, password and end. */
  all: string;
}

/** For an attribute in double quotes (HTML, "Attributes"). */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
