import { type FormEvent, useState } from 'react';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useChange } from '../api/account.ts';
import type { Input, Output } from '../api/contract.ts';
import { uploadLinkTexts as t } from '../texts/en-links.ts';
import { ProjectChoice } from './project-choice.tsx';

/** Makes a link with which several people send files. */
export function AskForm({
  onCreated,
}: {
  onCreated: (created: Output<'createUploadLink'>) => void;
}) {
  const [made, setMade] = useState(0);
  const create = useChange('createUploadLink', ['listUploadLinks'], (created) => {
    setMade(made + 1);
    onCreated(created);
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(choicesOf(new FormData(event.currentTarget)));
  };
  return (
    <details className="card" key={made}>
      <summary>{t.ask}</summary>
      <form className="stack" onSubmit={submit}>
        <p className="hint">{t.askIntro}</p>
        <label className="field">
          <span>{t.titleField}</span>
          <input name="title" required maxLength={255} autoComplete="off" />
        </label>
        <label className="field">
          <span>{t.message}</span>
          <textarea name="message" maxLength={2000} rows={4} />
        </label>
        <ProjectChoice
          name="into"
          label={t.into}
          none={t.intoNone}
          hint={t.intoHint}
          offers={({ type }) => type !== 'html' && type !== 'zip'}
        />
        <Limits />
        <Check name="askName" label={t.askName} isOn />
        <Check name="askEmail" label={t.askEmail} />
        <Check name="receipts" label={t.receipts} isOn />
        <Check name="private" label={t.isPrivate} isOn />
        <Check name="notify" label={t.notify} isOn />
        {create.error && <ErrorNote error={create.error} />}
        <div className="choices">
          <button className="button small" disabled={create.isPending}>
            {t.create}
          </button>
        </div>
      </form>
    </details>
  );
}

function Limits() {
  return (
    <>
      <label className="field">
        <span>{t.closes}</span>
        <input name="closesAt" type="datetime-local" />
        <span className="hint">{t.closesHint}</span>
      </label>
      <label className="field">
        <span>{t.maxUploads}</span>
        <input name="maxUploads" type="number" min={1} max={500} defaultValue={20} required />
      </label>
      <label className="field">
        <span>{t.maxMegabytes}</span>
        <input name="megabytes" type="number" min={1} max={5000} />
        <span className="hint">{t.maxMegabytesHint}</span>
      </label>
      <label className="field">
        <span>{t.accept}</span>
        <input name="accept" autoComplete="off" spellCheck={false} autoCapitalize="none" />
        <span className="hint">{t.acceptHint}</span>
      </label>
    </>
  );
}

function Check({ name, label, isOn = false }: { name: string; label: string; isOn?: boolean }) {
  return (
    <label className="check">
      <input type="checkbox" name={name} defaultChecked={isOn} /> <span>{label}</span>
    </label>
  );
}

/** What was entered. */
function choicesOf(form: FormData): Input<'createUploadLink'> {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const [message, closesAt, megabytes] = [text('message'), text('closesAt'), text('megabytes')];
  const into = text('into');
  const accept = text('accept')
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((ending) => ending !== '');
  return {
    title: text('title'),
    ...(message !== '' && { message }),
    ...(into !== '' && { into }),
    ...(closesAt !== '' && { closesAt: new Date(closesAt).toISOString() }),
    maxUploads: Number(text('maxUploads')),
    ...(megabytes !== '' && { maxBytes: Number(megabytes) * 1024 * 1024 }),
    ...(accept.length > 0 && {
      accept: accept.map((one) => (one.startsWith('.') ? one : `.${one}`)),
    }),
    askName: form.has('askName'),
    askEmail: form.has('askEmail'),
    receipts: form.has('receipts'),
    private: form.has('private'),
    notify: form.has('notify'),
  };
}
