/** The texts about webhooks. They come with the view that shows them. */
export const webhookTexts = {
  title: 'Send events to another program',
  intro:
    'When something happens to your projects, another program gets a message at once: a chat such as Slack, Discord or Teams, or a program of your own.',
  open: 'Choose programs and events',
  url: 'Address of the program',
  urlHint: 'The program shows it where you add an incoming webhook. It begins with https://.',
  events: 'Send a message when',
  of: {
    'version.published': 'a version is published',
    'project.opened': 'people open a project',
    'project.first_opened': 'a project is opened for the first time',
    'upload.received': 'somebody sends files with your upload link',
    'link.exhausted': 'a share link is used up',
    'project.expiring': 'a project ends in a day',
    'project.taken_down': 'the operator takes a project down',
    'domain.failed': 'a custom domain stops working',
    'quota.near':
      'a limit of your plan is nearly reached: projects, storage, visits or transfer of the month',
    'webhook.test': 'test',
  },
  projects: 'Events of',
  allProjects: 'All projects',
  project: 'One project',
  create: 'Send events there',
  secret:
    'This secret proves to your own program that messages are from here. Copy it now: it is shown only once. A chat does not need it.',
  empty: 'Events are sent nowhere.',
  off: 'Off',
  failing: (when: string) => `nothing arrived since ${when}`,
  test: 'Send a test',
  deliveries: 'What was sent',
  noDeliveries: 'Nothing yet.',
  state: { waiting: 'waits', delivered: 'arrived', failed: 'given up' },
  next: (when: string) => `next try ${when}`,
  answer: (status: number | null, text: string) =>
    [status === null ? 'no answer' : `answer ${status}`, text].filter(Boolean).join(': '),
  again: 'Send again',
  rotate: 'New secret',
  rotated:
    'The new secret is shown only once. For 24 hours each message is signed with both, so that you can change your program in between.',
  turnOff: 'Switch off',
  turnOn: 'Switch on',
  remove: 'Delete',
  removeTitle: 'Send no more events there?',
  removeText: 'What still waits is not sent.',
};
