import type { AbuseReport, ReportedPage } from '../core/abuse/abuse-reports.ts';
import type { Account } from '../core/accounts/account.ts';
import type { StoredDomain } from '../core/domains/domain.ts';
import type { DeletedProject } from '../core/projects/removal/restore-project.ts';
import type { RotationStep } from '../core/secrets/rotate-secret.ts';
import type { Project } from '../core/projects/project.ts';
import type { OperatorCode } from '../core/accounts/sign-in/operator-code.ts';
import type { Invitation } from '../core/accounts/sign-in/invitation.ts';
import type { SecretName } from './admin-names.ts';

export function formatAccount(account: Account): string {
  const { id, email, tier, trialEndsAt, projectCount, storageBytes, createdAt } = account;
  const { suspendedAt, liftingAt } = account;
  return formatTable([
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

export function formatProject(project: Project): string {
  const { id, host, title, ownerId, takedown, expiresAt, archivedAt, suspendedAt } = project;
  return formatTable([
    ['id', id],
    ['host', host],
    ['title', title],
    ['owner', ownerId ?? 'nobody'],
    ['expires', expiresAt ?? 'never'],
    ...(archivedAt === null ? [] : [['archived', archivedAt] as const]),
    ...(suspendedAt === null ? [] : [['suspended', `since ${suspendedAt}`] as const]),
    ['taken down', takedown === null ? 'no' : `since ${takedown.at}: ${takedown.reason}`],
  ]);
}

/** Projects with open reports, each with those that are stored, the latest first. Lines that a visitor wrote start with a bar. */
export function formatReports({ projects, next }: ReportedPage): string {
  if (projects.length === 0) return 'There are no open reports.';
  const more = next === undefined ? [] : [`More: --at ${next.split('#')[0]}`];
  return [...projects.map(formatReported), ...more].join('\n\n');
}

function formatReported({
  projectId,
  host,
  openSince,
  received,
  handled,
  reports,
}: ReportedPage['projects'][number]): string {
  const facts = formatTable([
    ['project', projectId],
    ['host', host],
    ['open', String(received - handled)],
    ['since', openSince],
    ['last number', String(received)],
  ]);
  return [facts, ...reports.map(formatReport)].join('\n');
}

function formatReport({ number, at, reason, host, url, email, message }: AbuseReport): string {
  const facts = formatTable([
    ['report', String(number)],
    ['at', at],
    ['reason', reason],
    ['host', host],
    ...(url === undefined ? [] : [['page', url] as const]),
    ['from', email ?? 'no e-mail address given'],
  ]);
  const lines = message.split(/\r\n|[\r\n]/).map((line) => `  | ${escapeControls(line)}`);
  return `${facts}\n${lines.join('\n')}`;
}

/** Deleted projects, newest first. */
export function formatDeletedProjects(deleted: readonly DeletedProject[]): string {
  if (deleted.length === 0) return 'There are no deleted projects that can be restored.';
  return deleted
    .map(({ project, keptUntil }) =>
      formatTable([
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

/** What is left of custom domains that the operator removes. */
export function formatRemovedDomains(
  left: readonly Pick<StoredDomain, 'name'>[],
  name: string | undefined,
): string {
  if (left.length === 0)
    return name === undefined
      ? 'No custom domain is left.'
      : `Nothing is left of ${escapeControls(name)}.`;
  return `These custom domains are being removed. Visitors no longer get sites there; the projects get addresses of this service. The sweep of the running service removes tenants and certificates, which takes CloudFront some minutes. Run this again until nothing is left.
${left.map((domain) => `  ${escapeControls(domain.name)}`).join('\n')}`;
}

/** The sign-in code that the operator hands over. */
export function formatOperatorCode(code: OperatorCode, email: string, baseUrl: string): string {
  switch (code.kind) {
    case 'code':
      return `${escapeControls(email)} signs in with this code until ${code.expiresAt}:

  ${code.digits}

In a browser: open ${baseUrl}/dashboard/sign-in, enter the address, then the code. No mail is sent.
For an API key: curl -H 'content-type: application/json' -d ${shellText(JSON.stringify({ email, code: code.digits, attemptToken: code.longCode }))} ${baseUrl}/v1/auth/otp/verify

Whoever has the code signs in as this person. Hand it over as you would a password.`;
    case 'wait':
      return `A code was sent to ${escapeControls(email)} a moment ago. Run this again in ${code.seconds} seconds.`;
    case 'no-sign-up':
      return `${escapeControls(email)} has no account, and signUpPolicy does not let it sign up. Invite it first: npm run admin -- invite <email>. That needs signUpPolicy "open" or "invite".`;
  }
}

/** What the operator sends to somebody who was invited. No mail is sent, and nothing of it is a secret. */
export function formatInvitation({ email, plan, expiresAt }: Invitation, url: string): string {
  const terms = plan === null ? '' : ` Its plan will be ${plan}.`;
  return `${escapeControls(email)} can have an account until ${expiresAt}.${terms} Send this link; a code proves the address then:

  ${url}`;
}

/** Text as one word of a shell: an address may have an apostrophe. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The result of a rotation step, and the operator's next step. */
export function formatRotationStep(secret: SecretName, step: RotationStep): string {
  const again = `npm run admin -- rotate ${secret}`;
  switch (step.kind) {
    case 'prepared':
      return `${secret}: a new value is prepared. Functions begin to accept it now and do not sign with it yet.
Run "${again}" again after ${step.readyAt.toISOString()} to make it the current value.
That also ends the value before the current one. What was signed with that value stops working then: ${endedByRotation[secret]}`;
    case 'too-early':
      return `${secret}: nothing was changed. Some functions may not have the new value before ${step.readyAt.toISOString()}. Run "${again}" after that.`;
    case 'sender-behind':
      return `${secret}: CloudFront does not send the current value everywhere yet. Its update was started. Nothing else was changed. Run "${again}" again in ten minutes.`;
    case 'rotated':
      return `${secret}: the new value is the current one. The value before it is still accepted, until this secret is rotated once more.
The value before that one is refused everywhere within five minutes.`;
  }
}

/** The things that stop working two rotations after they were signed. */
const endedByRotation: Record<SecretName, string> = {
  CodeSecret: 'sign-in codes that were sent (10 minutes).',
  AccessSecret:
    'preview links (1 hour), owner links and owner cookies (1 day), cookies of visitors who entered a password (30 days).',
  OriginSecret: 'stored responses to an Idempotency-Key (24 hours).',
};

function formatTable(rows: readonly (readonly [string, string])[]): string {
  return rows.map(([name, value]) => `${name.padEnd(12)}${escapeControls(value)}`).join('\n');
}

/** Replaces control characters. Strangers wrote some of the text and could otherwise control the terminal or forge lines. */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}
