import { useState } from 'react';
import { Confirm } from '../../../ui/confirm.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { InlineForm } from '../../../ui/inline-form.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { useChange, useOperation } from '../../api/account.ts';
import type { Output } from '../../api/contract.ts';
import { formatBytes, formatNumber } from '../../texts/format.ts';
import { operatorTexts as t, stateNames } from '../../texts/en-operator.ts';

/** One account, found by its id or e-mail address, and its suspension. */
export function OperatedAccount({
  account,
  onFind,
}: {
  account: string;
  onFind: (account: string) => void;
}) {
  return (
    <section className="part">
      <h2>{t.account}</h2>
      <InlineForm label={t.findField} action={t.find} required maxLength={254} run={onFind} />
      {account !== '' && <Found key={account} account={account} />}
    </section>
  );
}

function Found({ account }: { account: string }) {
  const query = useOperation('findAccount', { account });
  return (
    <QueryState query={query} lines={1}>
      {(found) => <AccountRow found={found} />}
    </QueryState>
  );
}

function AccountRow({ found }: { found: Output<'findAccount'> }) {
  const [isAsking, setAsking] = useState(false);
  const suspend = useChange('suspendAccount', ['findAccount'], () => setAsking(false));
  const unsuspend = useChange('unsuspendAccount', ['findAccount']);
  const { accountId, email, plan, projectCount, storageBytes, state } = found;
  return (
    <div className="row wrap">
      <div className="row-main">
        <strong>
          <bdi>{email}</bdi>
        </strong>
        <span className="hint">
          {stateNames[state]} · {plan} ·{' '}
          {t.facts(formatNumber(projectCount), formatBytes(storageBytes))}
        </span>
        <code className="hint">{accountId}</code>
      </div>
      {state === 'active' && (
        <button type="button" className="button danger small" onClick={() => setAsking(true)}>
          {t.suspend}
        </button>
      )}
      {(state === 'suspended' || state === 'lifting') && (
        <button
          type="button"
          className="button quiet small"
          disabled={unsuspend.isPending}
          onClick={() => unsuspend.mutate({ accountId })}
        >
          {t.unsuspend}
        </button>
      )}
      {unsuspend.error && <ErrorNote error={unsuspend.error} />}
      {isAsking && (
        <Confirm
          title={t.suspendTitle(email)}
          text={t.suspendText}
          action={t.suspend}
          change={{ ...suspend, run: () => suspend.mutate({ accountId }) }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
