import { CodedError } from '../../errors.ts';

const references = {
  domainId: {
    what: 'domain',
    nextStep:
      'Send the `id` of one of your domains, which GET /v1/domains lists, or omit `domainId`.',
  },
  rootProjectId: {
    what: 'project of this domain',
    nextStep:
      'Send the id of a project that GET /v1/domains/{domainId} lists, or assign one first with PATCH /v1/projects/{projectId}.',
  },
  workspaceId: {
    what: 'workspace',
    nextStep:
      'Send the `id` of one of your workspaces, which GET /v1/workspaces lists, or omit `workspaceId`.',
  },
};

/** A field that holds the id of something else in the account. */
export type ReferenceField = keyof typeof references;

/** The error for a field whose id names nothing in the caller's account. */
export class ReferenceNotFound extends CodedError<'NOT_FOUND'> {
  readonly field: ReferenceField;

  constructor(field: ReferenceField) {
    const { what, nextStep } = references[field];
    super('NOT_FOUND', { error: `${field}: you have no ${what} with this id.`, nextStep });
    this.field = field;
  }
}
