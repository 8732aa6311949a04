import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { InlineForm } from '../../../ui/inline-form.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Rows } from '../../../ui/rows.tsx';
import { Time } from '../../../ui/time.tsx';
import { useChange } from '../../api/account.ts';
import { usePages } from '../../api/use-pages.ts';
import { call } from '../../api/call.ts';
import type { Output } from '../../api/contract.ts';
import { formatBytes } from '../../texts/format.ts';
import { isPlan, operatorTexts as t, planNames, stateNames } from '../../texts/en-operator.ts';
import { AskReason } from './take-down.tsx';

type Account = Output<'listAccounts'>['accounts'][number];

/** All accounts, newest first, or the one that is looked for. */
export function Accounts({
  account,
  onFind,
}: {
  account: string;
  onFind: (account: string) => void;
}) {
  const query = usePages('listAccounts', [account], (cursor, options) =>
    call('listAccounts', { account: account || undefined, cursor }, options),
  );
  return (
    <section className="part">
      <h2>{t.accounts}</h2>
      <InlineForm
        key={account}
        label={t.findField}
        action={t.find}
        initial={account}
        maxLength={254}
        run={(entered) => onFind(entered.trim())}
      />
      <QueryState query={query}>
        {({ pages }) => (
          <Rows items={pages.flatMap((page) => page.accounts)} empty={t.noAccount}>
            {(found) => <AccountRow key={found.accountId} found={found} />}
          </Rows>
        )}
      </QueryState>
      <div className="choices">
        <MoreButton query={query} label={t.more} />
        {account !== '' && <Button onClick={() => onFind('')}>{t.allAccounts}</Button>}
      </div>
    </section>
  );
}

function AccountRow({ found }: { found: Account }) {
  const unsuspend = useChange('unsuspendAccount', ['listAccounts']);
  const { accountId, email, projectCount, storageBytes, state, createdAt, suspensionReason } =
    found;
  return (
    <li className="row wrap">
      <div className="row-main">
        <strong>
          <bdi>{email}</bdi>
        </strong>
        <span className="hint">
          {stateNames[state]} · {t.facts(projectCount, formatBytes(storageBytes))} ·{' '}
          <Time at={createdAt} form="day" text={t.since} />
        </span>
        {suspensionReason !== null && (
          <span className="hint">
            <bdi>{suspensionReason}</bdi>
          </span>
        )}
      </div>
      <Plan account={found} />
      {state === 'active' && <Suspend account={found} />}
      {(state === 'suspended' || state === 'lifting') && (
        <Button disabled={unsuspend.isPending} onClick={() => unsuspend.mutate({ accountId })}>
          {t.unsuspend}
        </Button>
      )}
      {unsuspend.error && <ErrorNote error={unsuspend.error} />}
    </li>
  );
}

function Plan({ account: { accountId, email, plan } }: { account: Account }) {
  const change = useChange('setAccountPlan', ['listAccounts']);
  return (
    <>
      <label className="field">
        <span className="unseen">{t.planOf(email)}</span>
        <select
          value={change.isPending ? change.variables.plan : plan}
          disabled={change.isPending}
          onChange={({ target: { value } }) =>
            isPlan(value) && change.mutate({ accountId, plan: value })
          }
        >
          {Object.entries(planNames).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {change.error && <ErrorNote error={change.error} />}
    </>
  );
}

function Suspend({ account: { accountId, email } }: { account: Account }) {
  const [isAsking, setAsking] = useState(false);
  const suspend = useChange('suspendAccount', ['listAccounts'], () => setAsking(false));
  const { title, text, action } = t.decisions.suspended;
  return (
    <>
      <Button looks="danger small" onClick={() => setAsking(true)}>
        {action}
      </Button>
      {isAsking && (
        <AskReason
          title={title(email)}
          text={text}
          label={t.reasonField}
          action={action}
          change={suspend}
          run={(reason) => suspend.mutate({ accountId, reason })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
