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
export function wantsMail({ mailsOff }: Pick<Account, 'mailsOff'>, kind: MailKind): boolean {
  return mailsOff?.has(kind) !== true;
}

/** Which mails an account gets, by kind. */
export function getMailChoices(_: object, { account }: Pick<AccountCaller, 'account'>) {
  const wants = (kind: MailKind) => wantsMail(account, kind);
  const { opens, uploads, expiry, trial, takedowns } = MailKind.enum;
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

/** Switches mails on or off; those that are not named stay as they are. */
export async function updateMailChoices(
  { accounts }: { accounts: Pick<AccountStore, 'switchMails'> },
  { account }: Pick<AccountCaller, 'account'>,
  { mails }: { mails: Partial<Record<MailKind, boolean | undefined>> },
) {
  const off = MailKind.options.filter((kind) => mails[kind] === false);
  const on = MailKind.options.filter((kind) => mails[kind] === true);
  if (off.length > 0) await accounts.switchMails(account.id, 'off', off);
  if (on.length > 0) await accounts.switchMails(account.id, 'on', on);
  const mailsOff = new Set(
    [...(account.mailsOff ?? []), ...off].filter((kind) => !on.includes(kind)),
  );
  return getMailChoices({}, { account: { ...account, mailsOff } });
}
