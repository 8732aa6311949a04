import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange, useOperation } from '../api/account.ts';
import type { Output } from '../api/contract.ts';
import {
  domainStatusNames,
  domainTexts,
  providerHelp,
  recordPurposes,
  recordStates,
} from '../texts/en-domains.ts';
import { DomainProjects } from './domain-projects.tsx';

const t = domainTexts;

/** How often a domain that is not ready is read again. The service looks at DNS every minute at first. */
const waitingMs = 15_000;

type Domain = Output<'getDomain'>;

/** One domain: the records to set, what DNS answers, its projects. */
export function DomainView() {
  const { domainId } = useParams({ from: '/signed-in/domains/$domainId' });
  const query = useOperation('getDomain', { domainId });
  const isWaiting = query.data !== undefined && query.data.status !== 'ssl_active';
  useOperation('getDomain', { domainId }, isWaiting ? { refetchInterval: waitingMs } : {});
  return (
    <QueryState query={query} lines={5} title={t.unread}>
      {(domain) => (
        <>
          <PageHead title={domain.domain}>
            <span className="badge" data-status={domain.status}>
              {domainStatusNames[domain.status]}
            </span>
          </PageHead>
          <Check domain={domain} />
          <section className="part">
            <h2>{t.records}</h2>
            <p className="muted">{t.recordsIntro}</p>
            <p className="choices">
              <a className="button quiet small" href={mailOf(domain)}>
                {t.sendRecords}
              </a>
            </p>
            <ul className="plain-rows">
              {domain.records.map((record) => (
                <DnsRecord key={record.purpose} record={record} />
              ))}
            </ul>
          </section>
          <ProviderHelp />
          <DomainProjects domain={domain} />
          <Removal domain={domain} />
        </>
      )}
    </QueryState>
  );
}

/** A mail with the records that are known, for whoever sets them (RFC 6068: lines end in CRLF). */
function mailOf({ domain, records }: Domain): string {
  const parts = records
    .filter(({ name, value }) => name !== null && value !== null)
    .map(({ purpose, type, name, value }) =>
      t.recordLines(recordPurposes[purpose], { type, name: `${name}`, value: `${value}` }),
    );
  const body = [t.mailIntro(domain), ...parts].join('\n\n').replaceAll('\n', '\r\n');
  return `mailto:?subject=${encodeURIComponent(t.mailSubject(domain))}&body=${encodeURIComponent(body)}`;
}

function Check({ domain: { id: domainId, checkedAt } }: { domain: Domain }) {
  const check = useChange('checkDomain', ['getDomain', 'listDomains']);
  return (
    <div className="stack">
      <div className="choices">
        <Button looks="" disabled={check.isPending} onClick={() => check.mutate({ domainId })}>
          {check.isPending ? t.checking : t.check}
        </Button>
        <span className="hint" role="status">
          {checkedAt === null ? t.notChecked : <Time at={checkedAt} form="ago" text={t.checked} />}
        </span>
      </div>
      {check.error && <ErrorNote error={check.error} />}
    </div>
  );
}

function DnsRecord({ record }: { record: Domain['records'][number] }) {
  const { type, name, value, purpose, state, found, hint } = record;
  return (
    <li className="row wrap">
      <div className="row-main">
        <strong>
          {recordPurposes[purpose]} <span className="badge">{type}</span>{' '}
          <span className="badge" data-status={state === 'ok' ? 'public' : undefined}>
            {recordStates[state]}
          </span>
        </strong>
        {hint !== null && state !== 'ok' && <span className="hint">{hint}</span>}
      </div>
      <div className="full stack">
        {name !== null && <Value label={t.recordName} text={name} />}
        {value !== null && <Value label={t.recordValue} text={value} />}
        {found.length > 0 && state !== 'ok' && (
          <p className="hint">
            {t.found} <bdi>{found.join(', ')}</bdi>
          </p>
        )}
      </div>
    </li>
  );
}

function Value({ label, text }: { label: string; text: string }) {
  return (
    <p className="address">
      <span className="hint">{label}</span>
      <code>{text}</code>
      <CopyButton text={text} label={t.copy(label)} />
    </p>
  );
}

/** Where the common providers have their records, and what each of them does differently. */
function ProviderHelp() {
  return (
    <section className="part">
      <h2>{t.help}</h2>
      <div className="guide">
        {providerHelp.map(({ name, steps }) => (
          <details key={name} className="card">
            <summary>{name}</summary>
            <ol>
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </details>
        ))}
      </div>
    </section>
  );
}

function Removal({ domain: { id: domainId, domain } }: { domain: Domain }) {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const remove = useChange(
    'deleteDomain',
    ['listDomains', 'listProjects'],
    () => void navigate({ to: '/domains' }),
  );
  return (
    <section className="part danger-zone">
      <h2>{t.danger}</h2>
      <div className="row">
        <p className="row-main">{t.removeText}</p>
        <Button looks="danger" onClick={() => setAsking(true)}>
          {t.remove}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title={t.removeTitle(domain)}
          text={t.removeText}
          action={t.remove}
          typed={{ label: t.confirmType(domain), text: domain }}
          change={{ ...remove, run: () => remove.mutate({ domainId }) }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
