import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useChange, useOperation } from '../api/account.ts';
import { domainTexts, domainStatusNames } from '../texts/en-domains.ts';
import { formatRelative } from '../texts/format.ts';

const t = domainTexts;

/** The account's own domains. */
export function DomainsView() {
  const query = useOperation('listDomains', {});
  return (
    <>
      <PageHead title={t.title} intro={t.intro} />
      <NewDomain />
      <QueryState query={query}>
        {({ domains }) =>
          domains.length === 0 ? (
            <p className="muted">{t.empty}</p>
          ) : (
            <ul className="plain-rows">
              {domains.map(({ id, domain, status, projectCount, createdAt }) => (
                <li key={id} className="row">
                  <div className="row-main">
                    <Link to="/domains/$domainId" params={{ domainId: id }} className="row-title">
                      <bdi>{domain}</bdi>
                    </Link>
                    <span className="hint">
                      {t.projects(projectCount)} · {formatRelative(createdAt)}
                    </span>
                  </div>
                  <span className="badge" data-status={status}>
                    {domainStatusNames[status]}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </>
  );
}

function NewDomain() {
  const [domain, setDomain] = useState('');
  const add = useChange('addDomain', ['listDomains'], () => setDomain(''));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ domain });
  };
  return (
    <form className="inline-form" onSubmit={submit}>
      <label className="field grow">
        <span>{t.name}</span>
        <input
          required
          maxLength={300}
          autoCapitalize="none"
          spellCheck={false}
          placeholder="example.com"
          value={domain}
          onChange={(event) => setDomain(event.target.value)}
        />
      </label>
      <button className="button" disabled={add.isPending}>
        {t.add}
      </button>
      {add.error && <ErrorNote error={add.error} />}
    </form>
  );
}
