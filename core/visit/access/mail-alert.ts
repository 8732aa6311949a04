import type { AccountStore } from '../../accounts/ports.ts';
import type { Counters } from '../../limits/counters.ts';
import type { ProjectStore } from '../../ports.ts';
import type { Addresses } from '../../projects/addresses/addresses.ts';
import type { PasswordAlert } from './wrong-tries.ts';

/** What an owner is told of wrong tries at a project of theirs. */
export interface AlertNews {
  title: string;
  url: string;
  since: string;
}

/** Tells an owner of wrong tries. */
export interface AlertMailer {
  sendAlert(email: string, news: AlertNews): Promise<void>;
}

/** What telling owners needs. */
export interface MailAlertDeps {
  projects: Pick<ProjectStore, 'get'>;
  accounts: Pick<AccountStore, 'get'>;
  counters: Pick<Counters, 'take' | 'giveBack'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  alertMailer: AlertMailer;
  now(): Date;
}

/** A queue may bring an alert again for hours; it is mailed once. */
const once = [{ limit: 1, windowSeconds: 7 * 86_400 }];

/** Mails an alert to the owner; nobody where the project is gone, another's or without a password by now. */
export async function mailAlert(deps: MailAlertDeps, alert: PasswordAlert): Promise<void> {
  const { projectId, ownerId, since, at } = alert;
  const project = await deps.projects.get(projectId);
  const isMeant =
    project?.removingAt === null && project.ownerId === ownerId && project.access === 'password';
  const account = isMeant ? await deps.accounts.get(ownerId) : undefined;
  if (account === undefined || !isMeant) return;
  const key = `password-alert#${projectId}#${at}`;
  const now = deps.now();
  const taken = await deps.counters.take(key, once, now);
  if (!taken.taken) return;
  const news = { title: project.title, url: deps.addresses.siteUrl(project.host), since };
  try {
    await deps.alertMailer.sendAlert(account.email, news);
  } catch (error) {
    await deps.counters.giveBack(key, now);
    throw error;
  }
}
