import { Link } from '@tanstack/react-router';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { useOperation } from '../api/account.ts';
import type { Output } from '../api/contract.ts';
import { formatBytes, formatNumber } from '../texts/format.ts';
import { texts } from '../texts/en.ts';
import { planNames } from '../texts/en-operator.ts';
import { webhookTexts } from '../texts/en-webhooks.ts';
import { ConnectedApps } from './connected-apps.tsx';
import { AccountDeletion } from './account/account-deletion.tsx';
import { AccountExport } from './account/account-export.tsx';
import { EmailChange } from './account/email-change.tsx';
import { MailChoices } from './account/mail-choices.tsx';
import { Sessions } from './account/sessions.tsx';

const t = texts.account;

/** Plan and usage, e-mail address, connected apps and signed-in browsers, export, deletion. */
export function AccountView() {
  return (
    <>
      <PageHead title={t.title} />
      <Plan />
      <EmailChange />
      <MailChoices />
      <ConnectedApps />
      <Sessions />
      <section className="part">
        <h2>{webhookTexts.title}</h2>
        <p className="muted">{webhookTexts.intro}</p>
        <Link className="button quiet" to="/webhooks">
          {webhookTexts.open}
        </Link>
      </section>
      <AccountExport />
      <AccountDeletion />
    </>
  );
}

function Plan() {
  const query = useOperation('getUser', {});
  const { data } = query;
  return (
    <section className="part">
      <h2>{data !== undefined && isLargest(data.plan) ? t.usage : t.plan}</h2>
      <QueryState query={query} lines={5}>
        {({ plan, quota, usage }) => (
          <div className="stack">
            {!isLargest(plan) && (
              <p>
                <span className="badge">{planNames[plan.tier]}</span>{' '}
                {isTrial(plan) && <Time at={plan.trialEndsAt} form="day" text={t.trialUntil} />}
              </p>
            )}
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
            <MonthUsage plan={plan} usage={usage} />
            <p className="hint">
              {t.perUpload(limitText(plan.limits.maxUploadBytes, formatBytes))} ·{' '}
              {t.perProject(limitText(plan.limits.maxFilesPerProject))}
            </p>
            {plan.upgradeUrl !== null && !isLargest(plan) && (
              <p>
                <a className="button quiet" href={plan.upgradeUrl}>
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

function MonthUsage({ plan, usage }: Pick<Output<'getUser'>, 'plan' | 'usage'>) {
  return (
    <>
      <Usage
        label={t.visits}
        used={usage.visits}
        limit={plan.limits.maxVisitorsPerMonth}
        format={formatNumber}
      />
      <Usage
        label={t.transfer}
        used={usage.bytes}
        limit={plan.limits.maxBytesPerMonth}
        format={formatBytes}
      />
    </>
  );
}

type UserPlan = Output<'getUser'>['plan'];

/** Whether the account is in its trial, whose end is known then. */
function isTrial(plan: UserPlan): plan is UserPlan & { trialEndsAt: string } {
  return plan.trialEndsAt !== null && Date.parse(plan.trialEndsAt) > Date.now();
}

/** Whether there is no larger plan: then there is nothing to say about plans. */
function isLargest({ tier }: UserPlan): boolean {
  return tier === 'scale';
}

/** A limit of -1 means unlimited. */
function limitText(limit: number, format = formatNumber): string {
  return limit < 0 ? t.unlimited : format(limit);
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
