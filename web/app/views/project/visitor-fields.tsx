import { type ReactNode, useId } from 'react';
import type { ProjectSettings } from '../../../../contract/project-settings.ts';
import { texts } from '../../texts/en.ts';
import type { FieldProps } from './settings-fields.tsx';

const t = texts.settings;

/**
 * A control for each setting of the contract, in this order. A setting without a control does not
 * compile.
 */
const visitorControls: Record<keyof ProjectSettings, (props: FieldProps) => ReactNode> = {
  pageTitle: ({ form, set }) => (
    <label className="field">
      <span>{t.pageTitle}</span>
      <input
        maxLength={255}
        value={form.pageTitle ?? ''}
        onChange={(event) => set({ pageTitle: event.target.value })}
      />
      <span className="hint">{t.pageTitleHint}</span>
    </label>
  ),
  metaDescription: ({ form, set }) => (
    <label className="field">
      <span>{t.metaDescription}</span>
      <textarea
        maxLength={1000}
        rows={3}
        value={form.metaDescription ?? ''}
        onChange={(event) => set({ metaDescription: event.target.value })}
      />
      <span className="hint">{t.metaDescriptionHint}</span>
    </label>
  ),
  spa: ({ form, set }) => (
    <label className="field">
      <span>{t.spa}</span>
      <select
        value={String(form.spa)}
        onChange={({ target }) =>
          set({ spa: target.value === 'auto' ? 'auto' : target.value === 'true' })
        }
      >
        {Object.entries(t.spaChoices).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <span className="hint">{t.spaHint}</span>
    </label>
  ),
  prettyUrls: ({ form, set }) => (
    <Switch
      label={t.prettyUrls}
      hint={t.prettyUrlsHint}
      isOn={form.prettyUrls}
      onChange={(prettyUrls) => set({ prettyUrls })}
    />
  ),
  noIndex: ({ form, set }) => (
    <Switch label={t.noIndex} isOn={form.noIndex} onChange={(noIndex) => set({ noIndex })} />
  ),
  disableDownloads: ({ form, set }) => (
    <Switch
      label={t.disableDownloads}
      isOn={form.disableDownloads}
      onChange={(disableDownloads) => set({ disableDownloads })}
    />
  ),
  analyticsEnabled: ({ form, set }) => (
    <Switch
      label={t.analyticsEnabled}
      isOn={form.analyticsEnabled}
      onChange={(analyticsEnabled) => set({ analyticsEnabled })}
    />
  ),
};

/** What visitors and search engines see. */
export function VisitorFields(props: FieldProps) {
  return Object.entries(visitorControls).map(([name, Control]) => (
    <Control key={name} {...props} />
  ));
}

/** A setting that is on or off. */
export function Switch({ label, hint, isOn, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="switch">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && <span className="hint">{hint}</span>}
    </div>
  );
}

interface SwitchProps {
  label: string;
  hint?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}
