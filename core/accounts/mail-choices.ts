import { MailKind } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import type { Account } from './account.ts';
import type { AccountStore } from './ports.ts';
import { accountState } from './suspension.ts';

/** Whether an account that is there and active wants mails of this kind. */
export function getsMail(account: Account | undefined, kind: MailKind): account is Account {
  return account !== undefined && accountState(account) === 'active' && wantsMail(account, kind);
}

/** Whether the owner of an account wants mails of this kind. */
export function wantsMail({ mailsOff = [] }: Pick<Account, 'mailsOff'>, kind: MailKind): boolean {
  return !mailsOff.includes(kind);
}

/** Which mails an account gets, by kind. */
export function getMailChoices(_: object, { account }: { account: Pick<Account, 'mailsOff'> }) {
  const { opens, uploads, expiry, trial, takedowns } = MailKind.enum;
  const wants = (kind: MailKind) => wantsMail(account, kind);
  return {
    mails: {
      opens: wants(opens),
      uploads: wants(uploads),
      expiry: wants(expiry),
      trial: wants(trial),
      takedowns: wants(takedowns),
    },
  };
}

/** Switches mails on or off. Of two changes at once the later one counts. */
export async function updateMailChoices(
  { accounts }: { accounts: Pick<AccountStore, 'setMailsOff'> },
  { account }: Pick<AccountCaller, 'account'>,
  { mails }: { mails: Partial<Record<MailKind, boolean | undefined>> },
) {
  const wanted = (kind: MailKind) => mails[kind] ?? wantsMail(account, kind);
  const mailsOff = MailKind.options.filter((kind) => !wanted(kind));
  await accounts.setMailsOff(account.id, mailsOff);
  return getMailChoices({}, { account: { mailsOff } });
}
