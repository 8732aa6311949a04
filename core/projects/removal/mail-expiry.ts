import type { Instant, ProjectId } from '../../../contract/fields.ts';
import { getsMail } from '../../accounts/mail-choices.ts';
import type { AccountStore } from '../../accounts/ports.ts';
import { mailStopToken } from '../../analytics/mail-stops.ts';
import { instant } from '../../instants.ts';
import type { Counters } from '../../limits/counters.ts';
import { mayMail } from '../../mail-notices.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';
import type { Project } from '../project.ts';

/** Tells owners that a project expires in a day. */
export interface ExpiryMailer {
  sendExpiry(
    email: string,
    mail: { title: string; projectId: ProjectId; expiresAt: Instant; stopToken: string },
  ): Promise<void>;
}

/** The dependencies of {@link mailExpiry}. */
export interface MailExpiryDeps {
  accounts: Pick<AccountStore, 'get'>;
  counters: Pick<Counters, 'reserve'>;
  expiryMailer: ExpiryMailer;
  accessSecret(): Promise<RotatingSecret>;
  onFailure(item: unknown, error: unknown): void;
}

/** Mails the owner that a project expires in a day. A mail that fails is not sent again: the project's page says it too. */
export async function mailExpiry(
  deps: MailExpiryDeps,
  { id: projectId, ownerId, title, expiresAt, archivedAt }: Project,
  now: Date,
): Promise<void> {
  if (ownerId === null || expiresAt === null || archivedAt !== null) return;
  // After an interruption the sweep may be late.
  if (expiresAt <= instant(now)) return;
  const account = await deps.accounts.get(ownerId);
  if (!getsMail(account, 'expiry') || !(await mayMail(deps, ownerId, now))) return;
  const stop = { kind: 'expiry', ownerId } as const;
  const stopToken = mailStopToken(await deps.accessSecret(), stop, account.email);
  await deps.expiryMailer
    .sendExpiry(account.email, { title, projectId, expiresAt, stopToken })
    .catch((error: unknown) => deps.onFailure({ kind: 'expiry-mail', projectId }, error));
}
