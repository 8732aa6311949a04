import type { Output } from '../api/contract.ts';
import { formatNumber, plural } from './format.ts';

type Account = Output<'listAccounts'>['accounts'][number];
type Reported = Output<'listReports'>['projects'][number];

/** The texts for operators. They come with their view. */
export const operatorTexts = {
  title: 'Operator',
  intro: 'For the accounts that run this installation. Every action is logged with your account.',
  reports: 'Reports',
  openReports: (count: number) => (count === 1 ? 'reported project' : 'reported projects'),
  states: { open: 'Open', resolved: 'Handled' },
  noReports: {
    open: 'No report waits for you.',
    resolved: 'No report was handled in the last six months.',
  },
  reportCount: (count: number) =>
    plural(count, { one: '1 report', other: `${formatNumber(count)} reports` }),
  latestOf: (shown: number) => `the first ${formatNumber(shown)} are below`,
  waitsSince: (at: string) => `the first came ${at}`,
  from: 'From',
  owner: 'Owner:',
  noOwner: 'Published without an account.',
  gone: 'The project was deleted.',
  isDown: 'Taken down:',
  page: 'The reported page',
  showPage: 'Show the page',
  showSite: (host: string) => `Show ${host}`,
  hidePage: 'Hide the page',
  decisions: {
    'nothing-wrong': {
      action: 'Nothing wrong',
      title: (host: string) => `Nothing wrong with ${host}?`,
      text: 'Its reports so far are filed as handled, and nothing changes for the page.',
    },
    'taken-down': {
      action: 'Take down',
      title: (host: string) => `Take ${host} down?`,
      text: 'Everybody gets “not available for legal reasons” at once. Its owner reads your reason.',
    },
    suspended: {
      action: 'Suspend',
      title: (email: string) => `Suspend ${email}?`,
      text: 'All its projects are blocked and nobody can sign in to it. Its owner reads your reason. Nothing is deleted, and the expiry of its projects is paused.',
    },
  },
  reasonField: 'Reason, for the owner',
  note: 'Note, for other operators',
  noteAtFirst: 'Nothing is wrong.',
  release: 'Serve it again',
  byAddress: 'Take down by address',
  target: 'Address or id of the project',
  next: 'Next',
  accounts: 'Accounts',
  allAccounts: 'All accounts',
  noAccount: 'There is no such account.',
  find: 'Find',
  findField: 'E-mail address or account id',
  more: 'Show more',
  facts: (projects: number, storage: string) =>
    `${plural(projects, { one: '1 project', other: `${formatNumber(projects)} projects` })} · ${storage}`,
  since: (day: string) => `since ${day}`,
  planOf: (email: string) => `Plan of ${email}`,
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
export const reasonNames: Record<Reported['reports'][number]['reason'], string> = {
  phishing: 'Phishing',
  malware: 'Malware',
  copyright: 'Copyright',
  illegal: 'Illegal content',
  other: 'Other',
};

/** What an operator decided about reports. */
export const outcomeNames: Record<NonNullable<Reported['resolution']>['outcome'], string> = {
  'nothing-wrong': 'Nothing wrong',
  'taken-down': 'Taken down',
  suspended: 'Account suspended',
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
