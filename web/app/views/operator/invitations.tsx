import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { InlineForm } from '../../../ui/inline-form.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Time } from '../../../ui/time.tsx';
import { RowText } from '../../../ui/rows.tsx';
import { useChange, useOperation } from '../../api/account.ts';
import type { Output } from '../../api/contract.ts';
import { isPlan, operatorTexts, planNames } from '../../texts/en-operator.ts';

const t = operatorTexts.invitations;

/** Who was invited, and a form for the next one. */
export function Invitations() {
  const query = useOperation('listInvitations', {});
  return (
    <section className="part">
      <h2>{t.title}</h2>
      <QueryState query={query} lines={1}>
        {(found) => (
          <>
            <p className="muted">{t.policies[found.signUpPolicy](found.allowedEmailDomains)}</p>
            {found.signUpPolicy !== 'closed' && <Invite />}
            <ul className="plain-rows">
              {found.invitations.map((invitation) => (
                <InvitationRow key={invitation.email} invitation={invitation} />
              ))}
            </ul>
          </>
        )}
      </QueryState>
    </section>
  );
}

function Invite() {
  const [plan, setPlan] = useState('');
  const invite = useChange('createInvitation', ['listInvitations']);
  return (
    <>
      <InlineForm
        label={t.email}
        action={t.send}
        inputMode="email"
        name="email"
        required
        maxLength={254}
        change={invite}
        run={(email, empty) =>
          invite.mutate({ email, ...(isPlan(plan) && { plan }) }, { onSuccess: empty })
        }
      >
        <label className="field">
          <span>{t.plan}</span>
          <select value={plan} onChange={({ target }) => setPlan(target.value)}>
            <option value="">{t.samePlan}</option>
            {Object.entries(planNames).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </InlineForm>
      {invite.data && (
        <p className="note" role="status">
          <bdi>{(invite.data.mailed ? t.sent : t.notMailed)(invite.data.email)}</bdi>{' '}
          <CopyButton text={invite.data.url} label={t.copy} />
        </p>
      )}
    </>
  );
}

function InvitationRow({
  invitation: { email, plan, invitedAt, expiresAt, joinedAt },
}: {
  invitation: Output<'listInvitations'>['invitations'][number];
}) {
  const remove = useChange('deleteInvitation', ['listInvitations']);
  return (
    <li className="row wrap">
      <RowText name={email}>
        {plan !== null && `${planNames[plan]} · `}
        <Time at={invitedAt} form="day" text={t.invitedOn} /> ·{' '}
        <Time at={joinedAt ?? expiresAt} form="day" text={joinedAt === null ? t.until : t.joined} />
      </RowText>
      {joinedAt === null && (
        <Button disabled={remove.isPending} onClick={() => remove.mutate({ email })}>
          {t.revoke}
        </Button>
      )}
      {remove.error && <ErrorNote error={remove.error} />}
    </li>
  );
}
