import type { AbuseReport } from '../core/abuse/abuse-report.ts';
import type { Account } from '../core/accounts/account.ts';
import type { DeletedProject } from '../core/projects/removal/deleted-projects.ts';
import type { RotationStep } from '../core/secrets/rotate-secret.ts';
import type { Project } from '../core/projects/project.ts';
import type { SecretName } from './admin-stage.ts';

/** An account as an operator reads it. */
export function accountText(account: Account): string {
  const { id, email, tier, trialEndsAt, projectCount, storageBytes, createdAt } = account;
  const { suspendedAt, liftingAt } = account;
  return table([
    ['id', id],
    ['email', email],
    ['plan', tier],
    ['trial ends', trialEndsAt ?? 'no trial'],
    ['projects', String(projectCount)],
    ['bytes', String(storageBytes)],
    ['created', createdAt],
    ...(suspendedAt === undefined ? [] : [['suspended', `since ${suspendedAt}`] as const]),
    ...(liftingAt === undefined ? [] : [['unsuspended', `began at ${liftingAt}`] as const]),
  ]);
}

/** A project as it is after a command. */
export function projectText(project: Project): string {
  const { id, host, title, ownerId, takedown, expiresAt, archivedAt, suspendedAt } = project;
  return table([
    ['id', id],
    ['host', host],
    ['title', title],
    ['owner', ownerId ?? 'nobody'],
    ['ends', expiresAt ?? 'never'],
    ...(archivedAt === null ? [] : [['archived', archivedAt] as const]),
    ...(suspendedAt === null ? [] : [['suspended', `since ${suspendedAt}`] as const]),
    ['withheld', takedown === null ? 'no' : `since ${takedown.at}: ${takedown.reason}`],
  ]);
}

/** Reports, newest first; what a visitor wrote stands behind a bar. */
export function reportsText(reports: readonly AbuseReport[]): string {
  if (reports.length === 0) return 'Nothing was reported.';
  return reports.map(reportText).join('\n\n');
}

function reportText({ at, reason, host, projectId, url, email, message }: AbuseReport): string {
  const facts = table([
    ['at', at],
    ['reason', reason],
    ['host', host],
    ['project', projectId],
    ...(url === undefined ? [] : [['page', url] as const]),
    ['from', email ?? 'no address left'],
  ]);
  const lines = message.split(/\r\n|[\r\n]/).map((line) => `  | ${printable(line)}`);
  return `${facts}\n${lines.join('\n')}`;
}

/** Deleted projects, the last one first. */
export function deletedText(deleted: readonly DeletedProject[]): string {
  if (deleted.length === 0) return 'Nothing that could be restored.';
  return deleted
    .map(({ project, keptUntil }) =>
      table([
        ['id', project.id],
        ['host', project.host],
        ['title', project.title],
        ['bytes', String(project.bytes)],
        ['deleted', project.removingAt ?? ''],
        ['kept until', keptUntil],
      ]),
    )
    .join('\n\n');
}

/** What a step of a rotation did, and what is to be done next. */
export function rotationText(secret: SecretName, step: RotationStep): string {
  const again = `npm run admin -- rotate ${secret}`;
  switch (step.kind) {
    case 'prepared':
      return `${secret}: a new value is prepared. Functions learn to accept it now and do not sign with it yet.
Run "${again}" again after ${step.readyAt.toISOString()} to make it the current one.
That also ends the value before the current one. What was made with it stops working then: ${ends[secret]}`;
    case 'too-early':
      return `${secret}: nothing was changed. Some functions may not know the new value before ${step.readyAt.toISOString()}. Run "${again}" after that.`;
    case 'sender-behind':
      return `${secret}: CloudFront does not send the current value everywhere yet, and is being told to. Nothing else was changed. Run "${again}" again in ten minutes.`;
    case 'rotated':
      return `${secret}: the new value is the current one. The value before it is still accepted, until this secret is rotated once more.
The value before that one is refused everywhere within five minutes.`;
  }
}

const ends: Record<SecretName, string> = {
  CodeSecret: 'sign-in codes that are being entered (10 minutes).',
  AccessSecret:
    'preview links (1 hour), owners’ links and cookies (1 day), cookies of visitors who entered a password (30 days).',
  OriginSecret: 'repeated answers to an Idempotency-Key (24 hours).',
};

function table(rows: readonly (readonly [string, string])[]): string {
  return rows.map(([name, value]) => `${name.padEnd(12)}${printable(value)}`).join('\n');
}

/** Strangers wrote some of it: no control character may steer the operator's terminal or forge a line. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}
