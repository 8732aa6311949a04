import type { Output } from '../api/contract.ts';

type Account = Output<'findAccount'>;
type Report = Output<'listReports'>['reports'][number];

/** The texts for operators. They come with their view. */
export const operatorTexts = {
  title: 'Operator',
  intro: 'For the accounts that run this installation. Every action is logged with your account.',
  reports: 'Reports',
  noReports: 'Nobody has reported anything.',
  from: 'From',
  gone: 'The project was deleted.',
  isDown: 'Taken down:',
  openSite: 'Open the site',
  takeDown: 'Take it down',
  takeDownTitle: (host: string) => `Take ${host} down?`,
  takeDownText:
    'Everybody gets “not available for legal reasons” at once. Its owner reads your reason.',
  reasonField: 'Reason, for the owner',
  release: 'Serve it again',
  byAddress: 'Take down by address',
  target: 'Address or id of the project',
  next: 'Next',
  owner: 'See its account',
  account: 'Account',
  find: 'Find',
  findField: 'E-mail address or account id',
  facts: (projects: string, storage: string) => `${projects} projects · ${storage}`,
  suspend: 'Suspend the account',
  suspendTitle: (email: string) => `Suspend ${email}?`,
  suspendText:
    'Its projects are blocked and nobody can sign in to it. Nothing is deleted, and the expiry of its projects is paused.',
  unsuspend: 'Lift the suspension',
  invitations: {
    title: 'Invitations',
    policies: {
      open: (domains: readonly string[]) =>
        domains.length === 0
          ? 'Everybody can have an account. An invitation sends a mail, and can give a plan.'
          : `Everybody with an address at ${domains.join(', ')} can have an account. Others need an invitation.`,
      invite: () => 'Only people whom you invite can have an account.',
      closed: () => 'Nobody new can have an account. A setting of this installation says so.',
    },
    email: 'E-mail address to invite',
    plan: 'Plan',
    samePlan: 'As for every new account',
    send: 'Invite',
    sent: (email: string) => `An invitation was sent to ${email}.`,
    notMailed: (email: string) =>
      `${email} is invited. No mail was sent: there was one today, or this installation sends none. You may send the link yourself.`,
    copy: 'Copy the link',
    invitedOn: (day: string) => `invited ${day}`,
    until: (day: string) => `works until ${day}`,
    joined: (day: string) => `joined ${day}`,
    revoke: 'Revoke',
  },
} as const;

/** Why a visitor reported a site. */
export const reasonNames: Record<Report['reason'], string> = {
  phishing: 'Phishing',
  malware: 'Malware',
  copyright: 'Copyright',
  illegal: 'Illegal content',
  other: 'Other',
};

/** The name of each plan. */
export const planNames: Record<Account['plan'], string> = {
  free: 'Free',
  starter: 'Starter',
  pro: 'Pro',
  agency: 'Agency',
  scale: 'Scale',
};

/** Whether the value of a list of plans is one of them. */
export function isPlan(value: string): value is Account['plan'] {
  return Object.hasOwn(planNames, value);
}

/** The state of an account. */
export const stateNames: Record<Account['state'], string> = {
  active: 'Active',
  suspended: 'Suspended',
  lifting: 'The suspension is being lifted',
  closed: 'Deleted by its owner',
};
