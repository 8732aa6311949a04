import { useState } from 'react';
import { InlineForm } from '../../ui/inline-form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { operatorTexts as t } from '../texts/en-operator.ts';
import { Accounts } from './operator/accounts.tsx';
import { Invitations } from './operator/invitations.tsx';
import { Reports } from './operator/reports.tsx';
import { TakeDown } from './operator/take-down.tsx';

/** Reports, takedowns and accounts, for the operators of this installation. */
export function OperatorView() {
  const [account, setAccount] = useState('');
  const [target, setTarget] = useState('');
  return (
    <>
      <PageHead title={t.title} intro={t.intro} />
      <Reports onFindOwner={setAccount} />
      <Accounts account={account} onFind={setAccount} />
      <Invitations />
      <section className="part">
        <h2>{t.byAddress}</h2>
        <InlineForm
          label={t.target}
          action={t.next}
          required
          maxLength={300}
          run={(entered, empty) => {
            setTarget(entered);
            empty();
          }}
        />
        {target !== '' && <TakeDown target={target} onClose={() => setTarget('')} />}
      </section>
    </>
  );
}
