import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useContext, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { AccountContext, useChange } from '../../api/account.ts';
import { call } from '../../api/call.ts';
import { forgetAccount } from '../../api/session.ts';
import { texts } from '../../texts/en.ts';
import { cancelAllUploads } from '../../upload/upload-store.ts';

const t = texts.account;

/** Deletes the account; a sign-in within 30 days restores it. */
export function AccountDeletion() {
  const email = useContext(AccountContext);
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const leave = async (until: string) => {
    cancelAllUploads();
    await call('endWebSession', {});
    forgetAccount(client);
    await navigate({ to: '/sign-in', search: { email }, state: { until } });
  };
  const close = useChange('closeAccount', [], ({ restorableUntil }) => {
    void leave(restorableUntil);
  });
  return (
    <section className="part danger-zone">
      <h2>{t.delete}</h2>
      <div className="row">
        <p className="row-main">{t.deleteText}</p>
        <Button looks="danger" onClick={() => setAsking(true)}>
          {t.delete}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title={t.deleteTitle}
          text={t.deleteText}
          action={t.delete}
          typed={{ label: t.deleteType(email), text: email }}
          change={{ ...close, run: () => close.mutate({ confirm: email }) }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
