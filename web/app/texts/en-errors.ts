import type { ErrorCode } from '../../../contract/errors.ts';
import { formatDuration, formatNumber } from './format.ts';

/** What a person is told about a refusal. */
export interface ErrorText {
  /** What happened. */
  what: string;
  next: string;
  /** Where to do it, inside the app or as a mail. */
  link?: { href: string; text: string };
}

/** What of a refusal its text may name. */
export interface RefusalFacts {
  /** The service's own sentence; absent where it is written for programs. */
  said: string | undefined;
  /** How long to wait, in seconds. */
  wait: number | undefined;
  /** How often a code can still be entered. */
  attemptsLeft: number | undefined;
}

type TextOf = (facts: RefusalFacts) => ErrorText;

const signInLink = { href: '/sign-in', text: 'Sign in' };
const plansLink = { href: '/dashboard/account', text: 'See your plan' };
const projectsLink = { href: '/dashboard', text: 'See your projects' };

/** A text that says the same whatever was refused. */
const fixed =
  (what: string, next: string, link?: ErrorText['link']): TextOf =>
  () => ({ what, next, ...(link && { link }) });

/** The service's own sentence, if it is written for people, and what to do about it. */
const serviceSentence =
  (otherwise: string, next: string, link?: ErrorText['link']): TextOf =>
  ({ said = otherwise }) => ({ what: said, next, ...(link && { link }) });

/** A text for what is refused for a while only. */
const later =
  (what: string): TextOf =>
  ({ wait }) => ({ what, next: wait === undefined ? 'Try again in a minute.' : tryAgainIn(wait) });

/** `Try again in 23 minutes.` */
function tryAgainIn(seconds: number): string {
  return seconds <= 0 ? 'You can try again now.' : `Try again in ${formatDuration(seconds)}.`;
}

const signedOut = fixed('You are signed out.', 'Sign in again to go on.', signInLink);
/** On a link to whoever runs this service. */
export const writeTo = (contact: string) => `Write to ${contact}`;

/** The text for every other failure. */
export const unknownError = fixed(
  'Something went wrong on our side.',
  'Try again in a minute. If it happens again, tell whoever runs this service.',
);
const gone = fixed(
  'This is not here any more.',
  'It may have been deleted or moved, here or in another tab. Reload the page.',
);
const refusedHere = fixed(
  'This cannot be done here.',
  'Reload the page. If it happens again, tell whoever runs this service.',
);
const entered = serviceSentence(
  'Something that you entered is not valid.',
  'Correct it, then try again.',
);

/** A text for each code of the contract, for people who never heard of one. */
export const errorTexts: Record<ErrorCode, TextOf> = {
  API_KEY_MISSING: signedOut,
  API_KEY_INVALID: signedOut,
  API_KEY_EXPIRED: signedOut,
  SESSION_MISSING: signedOut,
  ACCOUNT_SUSPENDED: serviceSentence(
    'Your account is suspended.',
    'Everything in it is kept. Only whoever runs this service can lift that.',
  ),
  ACCOUNT_CLOSED: fixed('This account is deleted.', 'You can still restore it.'),
  ORIGIN_REFUSED: refusedHere,
  OTP_INVALID: ({ attemptsLeft }) => ({
    what: 'This is not the code that we sent.',
    next:
      attemptsLeft === undefined
        ? 'Look at the newest e-mail and enter its six digits.'
        : `Look at the newest e-mail and enter its six digits. ${triesLeft(attemptsLeft)}`,
  }),
  OTP_EXPIRED: fixed('This code has expired.', 'Ask for a new one.'),
  OTP_TOO_MANY_ATTEMPTS: ({ wait }) => ({
    what: 'A wrong code was entered too often.',
    next: wait === undefined ? 'Ask for a new one.' : `Ask for a new one. ${tryAgainIn(wait)}`,
  }),
  SECRETS_FOUND: fixed(
    'These files seem to contain keys.',
    'Take them out and choose the files again. Nothing was published.',
  ),
  ZIP_MULTIPLE_HTML: fixed('This ZIP has several pages.', 'Choose the one that opens first.'),
  INVALID_REQUEST: entered,
  VALIDATION_FAILED: entered,
  FREE_TIER_RESTRICTED: serviceSentence(
    'Your plan does not include this.',
    'A larger plan includes it.',
    plansLink,
  ),
  ARCHIVE_INVALID: serviceSentence(
    'This ZIP cannot be read.',
    'Make it again from the original files, or drop the folder itself. Nothing was published.',
  ),
  FILE_TYPE_REFUSED: serviceSentence(
    'One of these files cannot be published.',
    'Take it out, then choose the files again. Nothing was published.',
  ),
  TOO_MANY_FILES: serviceSentence(
    'These are too many files.',
    'Choose fewer, or sign in: an account takes more. Nothing was published.',
    signInLink,
  ),
  PAYLOAD_TOO_LARGE: serviceSentence(
    'This is too large.',
    'Choose something smaller. An account, or a larger plan, takes more. Nothing was published.',
    plansLink,
  ),
  DOMAIN_LIMIT_REACHED: serviceSentence(
    'Your plan includes no more domains.',
    'Remove one that you no longer need, or choose a larger plan.',
    plansLink,
  ),
  DOMAIN_TAKEN: serviceSentence(
    'This domain is in use.',
    'Use another one, or a domain of your own.',
  ),
  DOMAIN_NOT_READY: fixed(
    'This domain is not ready yet.',
    'Open it under “Domains”: it lists what still has to be set, and checks it again.',
    { href: '/dashboard/domains', text: 'See your domains' },
  ),
  KEY_LIMIT_REACHED: serviceSentence(
    'You have as many keys as an account can have.',
    'Delete one that you no longer need.',
  ),
  WEBHOOK_LIMIT_REACHED: serviceSentence(
    'Your plan allows no more addresses that get events.',
    'Delete one that you no longer need.',
  ),
  LINK_LIMIT_REACHED: serviceSentence(
    'This project has as many share links as your plan allows.',
    'Delete one that you no longer need.',
  ),
  WORKSPACE_LIMIT_REACHED: serviceSentence(
    'You have as many workspaces as an account can have.',
    'Delete one that you no longer need. Its projects are kept.',
  ),
  PROJECT_LIMIT_REACHED: serviceSentence(
    'Your plan includes no more projects.',
    'Archive or delete one that you no longer need, or choose a larger plan.',
    projectsLink,
  ),
  STORAGE_LIMIT_REACHED: serviceSentence(
    'The storage of your plan is full.',
    'Archive or delete what you no longer need, or choose a larger plan.',
    projectsLink,
  ),
  CLAIM_NOT_FOUND: fixed(
    'This link has expired.',
    'Publish the files again, then press “Keep it” before the time is up.',
    { href: '/', text: 'Publish again' },
  ),
  UPLOAD_LINK_NOT_FOUND: fixed(
    'This upload link has expired or was used.',
    'Ask whoever sent it to you for a new one.',
  ),
  ALREADY_CLAIMED: fixed(
    'Somebody keeps this already.',
    'If it was you, it is among your projects.',
    projectsLink,
  ),
  VERSION_CONFLICT: fixed(
    'Somebody published another version meanwhile.',
    'Reload the page to see it, then decide whether to publish yours.',
  ),
  UPLOAD_INCOMPLETE: fixed(
    'Not all files have arrived.',
    'Try again: only the missing ones are sent.',
  ),
  SLUG_TAKEN: serviceSentence('This address is taken or reserved.', 'Choose another one.'),
  EMAIL_TAKEN: fixed(
    'Another account has this e-mail address.',
    'Use another one, or sign in with it.',
  ),
  IDEMPOTENCY_CONFLICT: later('The same change is still being made.'),
  FORBIDDEN: refusedHere,
  NOT_FOUND: gone,
  NOT_PUBLIC: refusedHere,
  FORMAT_NOT_OFFERED: refusedHere,
  METHOD_NOT_ALLOWED: refusedHere,
  UNSUPPORTED_MEDIA_TYPE: refusedHere,
  RATE_LIMITED: later('That was a lot at once.'),
  UPLOAD_FAILED: fixed('The upload did not work.', 'Try again. Nothing was published.'),
  INTERNAL: unknownError,
  UNAVAILABLE: later('The service is busy.'),
  TIMEOUT: fixed('This took too long.', 'Try again in a minute.'),
};

function triesLeft(count: number): string {
  return count === 1 ? 'One try is left.' : `${formatNumber(count)} tries are left.`;
}

/** What people call the fields of the contract that they fill in. */
export const fieldNames: Readonly<Record<string, string>> = {
  accountId: 'The account',
  title: 'The title',
  slug: 'The address',
  domainId: 'The domain',
  domain: 'The domain',
  password: 'The password',
  email: 'The e-mail address',
  confirm: 'The e-mail address',
  code: 'The code',
  currentCode: 'The code from the old mailbox',
  newCode: 'The code from the new mailbox',
  name: 'The name',
  expiresAt: 'The expiry',
  expiresIn: 'The expiry',
  message: 'The message',
  reason: 'The reason',
};
