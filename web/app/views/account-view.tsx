import { useQuery } from '@tanstack/react-query';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useOperation } from '../api/account.ts';
import { configQuery } from '../api/config.ts';
import { formatBytes, formatNumber } from '../texts/format.ts';
import { texts } from '../texts/en.ts';
import { AccountDeletion } from './account/account-deletion.tsx';
import { AccountExport } from './account/account-export.tsx';
import { EmailChange } from './account/email-change.tsx';
import { Sessions } from './account/sessions.tsx';

const t = texts.account;

/** Plan and usage, e-mail address, signed-in browsers, export, deletion. */
export function AccountView() {
  return (
    <>
      <PageHead title={t.title} />
      <Plan />
      <EmailChange />
      <Sessions />
      <AccountExport />
      <AccountDeletion />
    </>
  );
}

function Plan() {
  const query = useOperation('getUser', {});
  const { data: config } = useQuery(configQuery);
  return (
    <section className="part">
      <h2>{t.plan}</h2>
      <QueryState query={query}>
        {({ plan, quota }) => (
          <div className="stack">
            <p>
              <span className="badge">{plan.tier}</span>
            </p>
            <Usage
              label={t.projects}
              used={quota.projects.used}
              limit={quota.projects.limit}
              format={formatNumber}
            />
            <Usage
              label={t.storage}
              used={quota.storage.usedBytes}
              limit={quota.storage.limitBytes}
              format={formatBytes}
            />
            <p className="hint">
              {t.perProject(limitText(plan.limits.maxFilesPerProject))} ·{' '}
              {t.visits(limitText(plan.limits.maxVisitorsPerMonth))}
            </p>
            {typeof config?.upgradeUrl === 'string' && (
              <p>
                <a className="button quiet" href={hrefOf(config.upgradeUrl)}>
                  {texts.states.upgrade}
                </a>
              </p>
            )}
          </div>
        )}
      </QueryState>
    </section>
  );
}

/** The setting is the address of a page or an e-mail address. */
function hrefOf(upgradeUrl: string): string {
  return upgradeUrl.includes('://') ? upgradeUrl : `mailto:${upgradeUrl}`;
}

/** A limit of -1 is none. */
function limitText(limit: number): string {
  return limit < 0 ? t.unlimited : formatNumber(limit);
}

function Usage({ label, used, limit, format }: UsageProps) {
  const isUnlimited = limit < 0;
  const text = t.of(format(used), isUnlimited ? t.unlimited : format(limit));
  return (
    <div className="usage">
      <span>{label}</span>
      <span className="number hint">{text}</span>
      {!isUnlimited && (
        <meter
          aria-label={label}
          min={0}
          max={Math.max(limit, 1)}
          high={limit * 0.8}
          value={used}
        />
      )}
    </div>
  );
}

interface UsageProps {
  label: string;
  used: number;
  limit: number;
  format: (value: number) => string;
}
