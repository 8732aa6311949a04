import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { formatInstant } from '../../texts/format.ts';
import { texts } from '../../texts/en.ts';
import type { ChosenEnd } from './settings-form.ts';

const t = texts.settings;

/** When a project ends: a time from now on, a date and time in the reader's zone, or never. */
export function ExpiryField({ now, isSavedAtOnce = false, onChange }: ExpiryFieldProps) {
  const [choice, setChoice] = useState('');
  const current = now === null ? t.expiryIn.none : formatInstant(now);
  const choose = (next: string) => {
    setChoice(next);
    if (next === 'date') return;
    const lifetime = lifetimes.find((one) => one === next);
    if (lifetime !== undefined) onChange({ expiresIn: lifetime });
    else onChange(next === '30d' ? { expiresAt: inDays(30) } : {});
  };
  return (
    <>
      <div className="field">
        <label htmlFor="expiry">{t.expiry}</label>
        <select id="expiry" value={choice} onChange={({ target }) => choose(target.value)}>
          <option value="">{t.expiryKeep(current)}</option>
          {Object.entries(t.expiryIn).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {choice === 'date' && (
        <DateField now={now} isSavedAtOnce={isSavedAtOnce} onChange={onChange} />
      )}
    </>
  );
}

interface ExpiryFieldProps {
  /** The present end; null for none. */
  now: string | null;
  /** A date is applied by a button: each key that somebody presses makes another one. */
  isSavedAtOnce?: boolean;
  onChange: (end: ChosenEnd) => void;
}

function DateField({ now, isSavedAtOnce, onChange }: ExpiryFieldProps) {
  const [date, setDate] = useState(now === null ? '' : localTime(new Date(now)));
  const apply = (local: string) =>
    onChange(local === '' ? {} : { expiresAt: new Date(local).toISOString() });
  return (
    <>
      <label className="field">
        <span>{t.expiryAt}</span>
        <input
          type="datetime-local"
          required
          min={localTime(new Date())}
          value={date}
          onChange={({ target }) => {
            setDate(target.value);
            if (isSavedAtOnce !== true) apply(target.value);
          }}
        />
        <span className="hint">{t.expiryZone(zone)}</span>
      </label>
      {isSavedAtOnce === true && (
        <div className="choices">
          <Button looks="small" onClick={() => apply(date)}>
            {t.setExpiry}
          </Button>
        </div>
      )}
    </>
  );
}

const lifetimes = ['none', '1h', '24h', '7d'] as const;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

/** As a field for a date and time has it: `2027-03-31T18:00`, in the reader's zone. */
export function localTime(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
