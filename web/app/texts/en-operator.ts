import type { Output } from '../api/contract.ts';

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
} as const;

/** Why a visitor reported a site. */
export const reasonNames: Record<Report['reason'], string> = {
  phishing: 'Phishing',
  malware: 'Malware',
  copyright: 'Copyright',
  illegal: 'Illegal content',
  other: 'Other',
};

/** The state of an account. */
export const stateNames: Record<Output<'findAccount'>['state'], string> = {
  active: 'Active',
  suspended: 'Suspended',
  lifting: 'The suspension is being lifted',
  closed: 'Deleted by its owner',
};
