/** The description of one group of operations in the documentation. */
export interface OperationGroup {
  title: string;
  description: string;
}

/** Every group of operations. Each is a Lambda function, a tag of the OpenAPI document and a page of the API reference. */
export const operationGroups = {
  system: {
    title: 'System',
    description: 'Health, version, and the descriptions of this interface.',
  },
  accounts: {
    title: 'Accounts and sign-in',
    description:
      'Sign in with a code by e-mail. See your plan and its limits. Manage API keys, trusted publishers, browser sessions and connected apps.',
  },
  export: {
    title: 'Export',
    description: 'Everything that an account has published, page by page.',
  },
  uploads: {
    title: 'Large uploads',
    description: 'Signed URLs for files that are too large for one request.',
  },
  'upload-links': {
    title: 'Upload links',
    description: 'Links with which somebody without a key publishes once in your name.',
  },
  projects: {
    title: 'Projects',
    description: 'Publish, find, change, archive and delete projects.',
  },
  'temp-projects': {
    title: 'Temporary projects',
    description: 'Publish without an account.',
  },
  versions: {
    title: 'Versions',
    description:
      'Push a new version of a project, compare versions, and go back to an earlier one.',
  },
  'share-links': {
    title: 'Share links',
    description:
      'Addresses with which chosen readers open a project, each with limits and opens of its own.',
  },
  webhooks: {
    title: 'Webhooks',
    description:
      'Events of your projects, sent to another program with a signature, or waited for.',
  },
  analytics: {
    title: 'Analytics',
    description: 'Who viewed a project, as totals and as a list.',
  },
  workspaces: {
    title: 'Workspaces',
    description: 'Groups of projects.',
  },
  domains: {
    title: 'Custom domains',
    description: 'Domains of your own under which your projects are served.',
  },
  operators: {
    title: 'Operators',
    description:
      'Reports, takedowns, accounts and invitations, for the accounts that run this installation.',
  },
} as const satisfies Record<string, OperationGroup>;

/** The Lambda function that serves an operation: one per group. */
export type FunctionGroup = keyof typeof operationGroups;
