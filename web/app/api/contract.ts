import type * as z from 'zod';
import type { Operation } from '../../../contract/operation.ts';
import type * as accounts from '../../../contract/operations/accounts.ts';
import type * as analytics from '../../../contract/operations/analytics.ts';
import type * as connections from '../../../contract/operations/connections.ts';
import type * as deletedProjects from '../../../contract/operations/deleted-projects.ts';
import type * as domains from '../../../contract/operations/domains.ts';
import type * as events from '../../../contract/operations/events.ts';
import type * as invitations from '../../../contract/operations/invitations.ts';
import type * as ownAccount from '../../../contract/operations/own-account.ts';
import type * as fileTexts from '../../../contract/operations/file-texts.ts';
import type * as files from '../../../contract/operations/files.ts';
import type * as keys from '../../../contract/operations/keys.ts';
import type * as linkUploads from '../../../contract/operations/link-uploads.ts';
import type * as operators from '../../../contract/operations/operators.ts';
import type * as settings from '../../../contract/operations/project-settings.ts';
import type * as previews from '../../../contract/operations/previews.ts';
import type * as projects from '../../../contract/operations/projects.ts';
import type * as shareLinks from '../../../contract/operations/share-links.ts';
import type * as tempProjects from '../../../contract/operations/temp-projects.ts';
import type * as trustedPublishers from '../../../contract/operations/trusted-publishers.ts';
import type * as uploadLinks from '../../../contract/operations/upload-links.ts';
import type * as uploads from '../../../contract/operations/uploads.ts';
import type * as versions from '../../../contract/operations/versions.ts';
import type * as webhookDeliveries from '../../../contract/operations/webhook-deliveries.ts';
import type * as webhooks from '../../../contract/operations/webhooks.ts';
import type * as visitors from '../../../contract/operations/visitors.ts';
import type * as webSession from '../../../contract/operations/web-session.ts';
import type * as workspaces from '../../../contract/operations/workspaces.ts';

type Exports = typeof accounts &
  typeof analytics &
  typeof connections &
  typeof deletedProjects &
  typeof domains &
  typeof events &
  typeof fileTexts &
  typeof files &
  typeof invitations &
  typeof ownAccount &
  typeof keys &
  typeof linkUploads &
  typeof operators &
  typeof settings &
  typeof previews &
  typeof projects &
  typeof shareLinks &
  typeof tempProjects &
  typeof trustedPublishers &
  typeof uploadLinks &
  typeof uploads &
  typeof versions &
  typeof visitors &
  typeof webhookDeliveries &
  typeof webhooks &
  typeof webSession &
  typeof workspaces;

/** The operations of the contract by their exported names. Types only: no schema is part of the app. */
type Operations = {
  [Name in keyof Exports as Exports[Name] extends Operation ? Name : never]: Exports[Name];
};

/** The name that `contract/operations/` exports an operation by. */
export type OperationName = keyof Operations;

/** The fields of a request: path, query and body together. The app sends files by `uploadId` only. */
export type Input<Name extends OperationName> = Operations[Name] extends {
  input: infer I extends z.ZodType;
}
  ? Omit<z.input<I>, 'files'> & FilesToAnnounce<Name, z.input<I>>
  : never;

/** `files` of an announcement are names and sizes, which are sent. */
type FilesToAnnounce<Name, I> = Name extends 'beginUpload' | 'beginLinkUpload'
  ? I extends { files?: infer F }
    ? { files?: F }
    : unknown
  : unknown;

/** The `data` of a successful response. */
export type Output<Name extends OperationName> = Operations[Name] extends {
  output: infer O extends z.ZodType;
}
  ? z.output<O>
  : never;

export type Project = Output<'listProjects'>['projects'][number];
export type Deployment = Output<'listDeployments'>[number];
