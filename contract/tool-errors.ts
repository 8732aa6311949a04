import type { ErrorCode } from './errors.ts';

const seeAccount =
  'Call get_account to see the usage. To free space, ask the user before you call delete_project, or suggest to upgrade to a larger plan.';
const connectAgain =
  'Connect again, either with OAuth or with an API key as `Authorization: Bearer <API_KEY>`.';
const byLink = 'For larger uploads use create_upload_link. Nothing was kept.';

/**
 * What an agent should do next, naming tools instead of endpoints; null if the catalogue's text fits.
 * Exhaustive: a new code does not compile until it has an entry here.
 */
export const toolNextSteps: Record<ErrorCode, string | null> = {
  API_KEY_MISSING: connectAgain,
  API_KEY_INVALID: connectAgain,
  API_KEY_EXPIRED: connectAgain,
  ACCOUNT_SUSPENDED:
    'Tell the user to contact the operator of this service. Connecting again does not help.',
  SESSION_MISSING: connectAgain,
  ORIGIN_REFUSED:
    'Connect from an app that runs on your computer or on a server. Requests from web pages of other hosts are refused.',
  OTP_INVALID: connectAgain,
  OTP_EXPIRED: connectAgain,
  OTP_TOO_MANY_ATTEMPTS: connectAgain,
  SECRETS_FOUND:
    'Remove the keys that `findings` lists from the files, then call the tool again. Only if the user says that everybody may read them, send `allowSecrets: true`. Nothing was kept.',
  ZIP_MULTIPLE_HTML:
    'Call publish_site again, with `zipIndexHtmlPath` set to one of `htmlPaths`. To share the files as a list instead, send `asFileBundle: true`.',
  INVALID_REQUEST: 'Correct the fields listed in `details`, then call the tool again.',
  VALIDATION_FAILED: 'Correct the fields listed in `details`, then call the tool again.',
  FREE_TIER_RESTRICTED:
    'Tell the user to upgrade to a paid plan (starter or higher). publish_site works on every plan. Connecting again does not help.',
  ARCHIVE_INVALID:
    'Create the ZIP again, or send the individual files in `files`. Nothing was kept.',
  FILE_TYPE_REFUSED:
    'Rename or remove the file that the error names, then call the tool again. Nothing was kept.',
  TOO_MANY_FILES: `Send fewer files. get_account shows \`maxFilesPerProject\`. ${byLink}`,
  PAYLOAD_TOO_LARGE: `Send less data. ${byLink}`,
  LINK_LIMIT_REACHED: 'Tell the user to delete a share link, or to upgrade to a larger plan.',
  WEBHOOK_LIMIT_REACHED: 'Tell the user to delete a webhook, or to upgrade to a larger plan.',
  KEY_LIMIT_REACHED: 'Tell the user to delete a key on the dashboard.',
  WORKSPACE_LIMIT_REACHED: 'Tell the user to delete a workspace. Its projects are kept.',
  DOMAIN_LIMIT_REACHED: 'Tell the user to remove a custom domain, or to upgrade to a larger plan.',
  DOMAIN_TAKEN: 'Ask the user for another domain.',
  DOMAIN_NOT_READY:
    'Tell the user to set the DNS records of the domain, or publish without `domainId`.',
  PROJECT_LIMIT_REACHED: seeAccount,
  STORAGE_LIMIT_REACHED: seeAccount,
  CLAIM_NOT_FOUND: 'Publish the files again with publish_site.',
  UPLOAD_LINK_NOT_FOUND: 'Create a new link with create_upload_link.',
  ALREADY_CLAIMED: 'No action is needed. If you claimed the project, list_projects shows it.',
  VERSION_CONFLICT:
    'Another version was published in the meantime. Read it with get_project and `readFiles`, apply your change to it, then call again with its `version` as `expectedVersion`.',
  UPLOAD_INCOMPLETE:
    'Call get_project until the status is no longer `uploading`, then call this tool again.',
  SLUG_TAKEN:
    'Choose another `slug`, then call the tool again. publish_site generates one if you omit it; list_projects shows which addresses you have.',
  ACCOUNT_CLOSED: null,
  EMAIL_TAKEN: null,
  IDEMPOTENCY_CONFLICT:
    'Use a new `idempotencyKey` for each new call. Send a key again only with exactly the same call.',
  FORBIDDEN: null,
  NOT_FOUND: 'Call list_projects to find the id of the project.',
  NOT_PUBLIC: null,
  FORMAT_NOT_OFFERED: null,
  METHOD_NOT_ALLOWED: 'Send JSON-RPC with POST.',
  UNSUPPORTED_MEDIA_TYPE: 'Send JSON-RPC with `Content-Type: application/json`.',
  RATE_LIMITED: 'Wait `retryAfterSeconds`, then call the tool again.',
  UPLOAD_FAILED:
    'Call the tool again. The failed upload is not visible and is removed automatically. If the error persists, tell the user `requestId`.',
  INTERNAL:
    'Check with list_projects or get_project whether the change was made. If not, call the tool again in a minute. If the error persists, tell the user `requestId`.',
  UNAVAILABLE: null,
  TIMEOUT: null,
};

/** The same if the missing thing is one that a field of a tool refers to by its id. */
export const toolReferenceSteps = {
  domainId:
    'Ask the user which custom domain to use: get_project shows the `domainId` of a project that has one. Or call the tool without `domainId`.',
  workspaceId:
    'Call list_projects: it shows the `workspaceId` of each project. Or call the tool without `workspaceId`.',
};
