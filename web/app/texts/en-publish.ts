import { formatNumber, plural } from './format.ts';

/** Texts about publishing: what is sent, what it becomes, and what a person decides. */
export const publishTexts = {
  drop: 'Drop files, a folder or a ZIP',
  dropNew: 'Drop to publish',
  dropVersion: 'Drop to make a draft of the next version',
  hint: 'Anywhere on this page. Or choose:',
  files: 'Choose files',
  folder: 'Choose a folder',
  title: 'Title',
  titleOf: (count: number) => plural(count, { one: '1 file', other: `${count} files` }),
  publishing: (title: string) => `Publishing ${title}`,
  sending: (done: string, total: string) => `${done} of ${total}`,
  speed: (speed: string, left: string) => `${speed} a second, ${left} left`,
  storing: 'Unpacking and storing…',
  paused: 'Paused',
  waiting: 'Waiting for the network. It continues by itself.',
  pause: 'Pause',
  resume: 'Continue',
  cancel: 'Cancel',
  retry: 'Try again',
  dismiss: 'Dismiss',
  live: 'Your link is live',
  newVersion: 'The new version is live',
  draft: (version: number) => `Version ${version} is a draft`,
  draftHint: 'This is what it changes. Visitors see it when you publish it.',
  later: 'Decide later',
  open: 'Open',
  share: 'Share',
  manage: 'Manage',
  home: 'Which page opens first?',
  homeHint: 'This upload has several pages. Visitors of the link see the one you choose.',
  useHome: 'Publish with this page',
  locked: 'This ZIP has a password',
  lockedHint:
    'Its content cannot be shown as a page. You can share the ZIP itself: visitors download it, and open it with its password.',
  shareLocked: 'Share as one file',
  source: 'This looks like source code',
  sourceHint:
    'Visitors would see the source, not the site. Drop “dist” instead: the folder that your build makes. It may also be called “build” or “out”.',
  sentLater: 'Your files stay here. They are sent by themselves when the time is over.',
  keys: 'These files seem to contain keys',
  keysHint:
    'Keys are secrets like passwords. Nothing was published: everybody who has the link could read and use them. Take them out and choose the files again.',
  keyPlace: (line: number, kind: string) => `, line ${formatNumber(line)}: ${kind}`,
  moreKeys: (count: number) => `And ${formatNumber(count)} more`,
  publishKeys: 'Publish anyway',
  leftOut: (count: number, paths: readonly string[]) =>
    `${plural(count, { one: '1 file was', other: `${formatNumber(count)} files were` })} left out: ${paths.join(', ')}${count > paths.length ? ', …' : ''}`,
  publishLeftOut: 'Publish them too',
  remotePictures: (count: number) =>
    plural(count, {
      one: '1 picture is on another site and is not shown.',
      other: `${formatNumber(count)} pictures are on other sites and are not shown.`,
    }),
  takePictures: (count: number) =>
    plural(count, { one: 'Copy it into the page', other: 'Copy them into the page' }),
  empty: 'There are no files in what you dropped.',
  filesChanged: 'The files are live',
  interrupted: (title: string) => `Publishing ${title} was interrupted`,
  interruptedHint: (done: string, all: string) =>
    `${done} of ${all} arrived. Choose the same files again to go on.`,
  sameFiles: 'Choose the same files',
  otherFiles: 'These are not the same files, or they changed. Cancel, and publish them anew.',
  refused: 'A file did not arrive.',
  refusedNext: 'That can happen after a long pause. Try again.',
  otherAccount: 'Another account is signed in in this browser now.',
  otherAccountNext:
    'Nothing was published. Sign in to the account that these files are for, then choose them again.',
} as const;
