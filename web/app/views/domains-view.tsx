import { Link, useNavigate } from '@tanstack/react-router';
import { InlineForm } from '../../ui/inline-form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange, useOperation } from '../api/account.ts';
import { domainTexts, domainStatusNames } from '../texts/en-domains.ts';

const t = domainTexts;

/** The account's own domains. */
export function DomainsView() {
  const query = useOperation('listDomains', {});
  return (
    <>
      <PageHead title={t.title} intro={t.intro} />
      <NewDomain />
      <QueryState query={query}>
        {({ domains }) => (
          <Rows items={domains} empty={t.empty}>
            {({ id, domain, status, projectCount, createdAt }) => (
              <li key={id} className="row">
                <div className="row-main">
                  <Link to="/domains/$domainId" params={{ domainId: id }} className="row-title">
                    <bdi>{domain}</bdi>
                  </Link>
                  <span className="hint">
                    {t.projects(projectCount)} · <Time at={createdAt} form="ago" />
                  </span>
                </div>
                <span className="badge" data-status={status}>
                  {domainStatusNames[status]}
                </span>
              </li>
            )}
          </Rows>
        )}
      </QueryState>
    </>
  );
}

/** The domain in a pasted address: `harbour.com` of `https://www.harbour.com/fair`. */
function domainIn(text: string): string {
  const host = text.trim().replace(/^[a-z]+:\/\//i, '');
  return host.replace(/[/:?#].*$/, '').replace(/^(?:www|\*)\./i, '');
}

/** Adds a domain, and opens its page: it has the records to set. */
function NewDomain() {
  const navigate = useNavigate();
  const add = useChange(
    'addDomain',
    ['listDomains'],
    ({ id }) => void navigate({ to: '/domains/$domainId', params: { domainId: id } }),
  );
  return (
    <InlineForm
      label={t.name}
      name="domain"
      action={t.add}
      required
      maxLength={300}
      autoCapitalize="none"
      spellCheck={false}
      placeholder="example.com"
      change={add}
      run={(text) => add.mutate({ domain: domainIn(text) })}
    />
  );
}
