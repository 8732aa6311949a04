import { useOperation } from '../../api/account.ts';
import type { Project } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';
import type { FieldProps } from './settings-fields.tsx';

const t = texts.settings;

/** The first part of the address, the domain behind it, and what both make together. */
export function AddressFields({ form, set, project }: FieldProps & { project: Project }) {
  const { data } = useOperation('listDomains', {});
  const active = (data?.domains ?? []).filter(
    ({ id, status }) => status === 'active' || status === 'ssl_active' || id === project.domainId,
  );
  const chosen = active.find(({ id }) => id === form.domainId);
  const ending = chosen === undefined ? serviceHost(project) : `.${chosen.domain}`;
  const isMoved = form.slug !== project.slug || form.domainId !== project.domainId;
  const moved = ending === undefined ? t.newServiceAddress : t.newAddress;
  return (
    <>
      <div className="inline-form">
        <label className="field grow">
          <span>{t.slug}</span>
          <input
            required
            name="slug"
            pattern="[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?"
            aria-describedby="slug-hint"
            value={form.slug}
            onChange={(event) => set({ slug: event.target.value.trim() })}
          />
        </label>
        {active.length > 0 && (
          <label className="field">
            <span>{t.domain}</span>
            <select
              name="domainId"
              value={form.domainId ?? ''}
              onChange={(event) => set({ domainId: event.target.value || null })}
            >
              <option value="">{serviceHost(project) ?? t.domainOfService}</option>
              {active.map(asOption)}
            </select>
          </label>
        )}
      </div>
      <span id="slug-hint" className="hint">
        {t.slugHint}
      </span>
      {isMoved && (
        <p className="note" aria-live="polite">
          {moved(form.slug + (ending ?? ''))}
        </p>
      )}
    </>
  );
}

const asOption = ({ id, domain }: { id: string; domain: string }) => (
  <option key={id} value={id}>
    .{domain}
  </option>
);

/** What follows the slug in an address of the service; undefined for a project that is on a domain now. */
function serviceHost({ domainId, slug, url }: Project): string | undefined {
  return domainId === null ? new URL(url).host.slice(slug.length) : undefined;
}
