import { useOperation } from '../../api/account.ts';
import { formatInstant } from '../../texts/format.ts';
import { texts } from '../../texts/en.ts';
import { newPassword, type SettingsForm } from './settings-form.ts';
import { Switch } from './visitor-fields.tsx';

const t = texts.settings;

/** The form, and how a control changes it. */
export interface FieldProps {
  form: SettingsForm;
  set: (fields: Partial<SettingsForm>) => void;
}

const accessChoices = [
  ['public', t.accessPublic],
  ['password', t.accessPassword],
  ['private', t.accessPrivate],
] as const;

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
        {accessChoices.map(([access, label]) => (
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
      </fieldset>
      {form.access === 'password' && (
        <div className="inline-form">
          <label className="field grow">
            <span>{t.password}</span>
            <input
              required={!hasPassword}
              name="password"
              maxLength={255}
              autoComplete="off"
              value={form.password}
              onChange={(event) => set({ password: event.target.value })}
            />
            <span className="hint">{t.passwordHint}</span>
          </label>
          <button
            type="button"
            className="button quiet"
            onClick={() => set({ password: newPassword() })}
          >
            {t.generate}
          </button>
        </div>
      )}
    </>
  );
}

/** When the project ends. */
export function ExpiryField({ form, set, expiresAt }: FieldProps & { expiresAt: string | null }) {
  const now = expiresAt === null ? t.expiryNever : formatInstant(expiresAt);
  const choices = { none: t.expiryNever, ...t.expiryIn };
  return (
    <label className="field">
      <span>{t.expiry}</span>
      <select
        value={form.expiresIn}
        onChange={(event) => set({ expiresIn: expiryOf(event.target.value) })}
      >
        <option value="">{t.expiryKeep(now)}</option>
        {Object.entries(choices).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function expiryOf(value: string): SettingsForm['expiresIn'] {
  const known = ['none', '15m', '1h', '24h', '7d'] as const;
  return known.find((one) => one === value) ?? '';
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
