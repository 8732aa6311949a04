import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { useOperation } from '../../api/account.ts';
import type { Project } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';
import { ExpiryField } from './expiry-field.tsx';
import { newPassword, type SettingsForm } from './settings-form.ts';
import { Switch } from './visitor-fields.tsx';

const t = texts.settings;

/** The form, and how a control changes it. */
export interface FieldProps {
  form: SettingsForm;
  set: (fields: Partial<SettingsForm>) => void;
}

/** Who can see a project. */
export const accessChoices = [
  ['public', t.accessPublic],
  ['password', t.accessPassword],
  ['people', t.accessPeople],
  ['identify', t.accessIdentify],
  ['private', t.accessPrivate],
] as const;

/** Whether visitors prove an address. Who may do so is chosen where the link is shared. */
export const isForPeople = (access: Project['access']): access is 'people' | 'identify' =>
  access === 'people' || access === 'identify';

/** The title. */
export function TitleField({ form, set }: FieldProps) {
  return (
    <label className="field">
      <span>{t.title}</span>
      <input
        required
        maxLength={255}
        value={form.title}
        onChange={(event) => set({ title: event.target.value })}
      />
    </label>
  );
}

/** Whether the project is published, and for whom. */
export function AccessFields({ form, set, hasPassword }: FieldProps & { hasPassword: boolean }) {
  const [isChanging, setChanging] = useState(!hasPassword);
  const [before] = useState(form.access);
  const choices = accessChoices.filter(([one]) => !isForPeople(one) || one === before);
  return (
    <>
      <Switch
        label={t.published}
        hint={t.publishedHint}
        isOn={form.isPublished}
        onChange={(isPublished) => set({ isPublished })}
      />
      <fieldset>
        <legend>{t.access}</legend>
        {choices.map(([access, label]) => (
          <label key={access} className="option">
            <input
              type="radio"
              name="access"
              checked={form.access === access}
              onChange={() => set({ access })}
            />
            {label}
          </label>
        ))}
        <span className="hint">{t.accessMore}</span>
      </fieldset>
      {form.access === 'password' && !isChanging && (
        <PasswordSet onChange={() => setChanging(true)} />
      )}
      {form.access === 'password' && isChanging && (
        <PasswordField
          value={form.password}
          required={!hasPassword}
          onChange={(password) => set({ password })}
        />
      )}
    </>
  );
}

/** When the project ends. */
export function EndField({ set, project }: FieldProps & { project: Project }) {
  return <ExpiryField now={project.expiresAt} onChange={(end) => set({ end })} />;
}

/** A password that visitors enter, with a button that makes one. */
export function PasswordField({ value, required, onChange }: PasswordFieldProps) {
  return (
    <div className="inline-form">
      <label className="field grow">
        <span>{t.password}</span>
        <input
          required={required}
          name="password"
          maxLength={255}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <span className="hint">{t.passwordHint}</span>
      </label>
      <Button looks="quiet" onClick={() => onChange(newPassword())}>
        {t.generate}
      </Button>
    </div>
  );
}

interface PasswordFieldProps {
  value: string;
  required: boolean;
  onChange: (password: string) => void;
}

/** Says that a password protects the project; nobody can read it again. */
export function PasswordSet({ onChange }: { onChange: () => void }) {
  return (
    <p>
      {texts.project.passwordSet} ·{' '}
      <Button onClick={onChange}>{texts.project.changePassword}</Button>
    </p>
  );
}

const mailTimes = ['off', 'first', 'daily'] as const;
type MailTime = (typeof mailTimes)[number];

/** When the owner gets a mail about opens. */
export function NotifyField({ notify = 'off', set }: NotifyFieldProps) {
  const choose = (value: string) =>
    set({ notify: mailTimes.find((one) => one === value) ?? notify });
  return (
    <label className="field">
      <span>{texts.project.notify}</span>
      <select value={notify} onChange={({ target }) => choose(target.value)}>
        {mailTimes.map((one) => (
          <option key={one} value={one}>
            {texts.project.notifyChoices[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

interface NotifyFieldProps {
  notify: MailTime | undefined;
  set: (fields: { notify: MailTime }) => void;
}

/** The folder of the project; absent where the plan has none. */
export function WorkspaceField({ form, set }: FieldProps) {
  const { data } = useOperation('listWorkspaces', {});
  if (data === undefined || data.workspaces.length === 0) return null;
  return (
    <label className="field">
      <span>{t.workspace}</span>
      <select
        value={form.workspaceId ?? ''}
        onChange={(event) => set({ workspaceId: event.target.value })}
      >
        <option value="">{t.noWorkspace}</option>
        {data.workspaces.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
