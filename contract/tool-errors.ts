import type { ErrorCode } from './errors.ts';

const seeAccount =
  'Call get_account to see what is used; delete_project frees room once the user agrees, or the user changes to a larger plan.';
const connectAgain =
  'Connect again: with OAuth, or with an API key as `Authorization: Bearer <API_KEY>`.';
const byLink = 'For more than fits into a call use create_upload_link. Nothing was kept.';

/**
 * What an agent should do next, in words of tools; null where the catalogue's own words say it.
 * Exhaustive: a new code does not compile before it is known what an agent is told.
 */
export const toolNextSteps: Record<ErrorCode, string | null> = {
  API_KEY_MISSING: connectAgain,
  API_KEY_INVALID: connectAgain,
  API_KEY_EXPIRED: connectAgain,
  ACCOUNT_SUSPENDED:
    'Tell the user to write to whoever runs this service. Connecting again changes nothing.',
  SESSION_MISSING: connectAgain,
  ORIGIN_REFUSED:
    'Connect from an app that runs on your machine or on a server; pages of other hosts are refused.',
  OTP_INVALID: connectAgain,
  OTP_EXPIRED: connectAgain,
  OTP_TOO_MANY_ATTEMPTS: connectAgain,
  ZIP_MULTIPLE_HTML: 'Call publish_site again with `zipIndexHtmlPath` set to one of `htmlPaths`.',
  INVALID_REQUEST: 'Correct what `details` names and call the tool again.',
  VALIDATION_FAILED: 'Correct what `details` names and call the tool again.',
  FREE_TIER_RESTRICTED:
    'Tell the user that this needs a paid plan (starter or higher); publish_site works on every plan. Connecting again changes nothing.',
  ARCHIVE_INVALID: 'Make the ZIP again, or send the plain files in `files`. Nothing was kept.',
  FILE_TYPE_REFUSED:
    'Rename or leave out the file that is named, then call again. Nothing was kept.',
  TOO_MANY_FILES: `Send fewer files; get_account tells \`maxFilesPerProject\`. ${byLink}`,
  PAYLOAD_TOO_LARGE: `Send less. ${byLink}`,
  KEY_LIMIT_REACHED: 'Tell the user to delete a key on the dashboard.',
  WORKSPACE_LIMIT_REACHED: 'Tell the user to delete a workspace; its projects stay.',
  PROJECT_LIMIT_REACHED: seeAccount,
  STORAGE_LIMIT_REACHED: seeAccount,
  CLAIM_NOT_FOUND: 'Publish the files again with publish_site.',
  UPLOAD_LINK_NOT_FOUND: 'Make a new link with create_upload_link.',
  ALREADY_CLAIMED: 'Nothing is left to do; list_projects shows it if it was you.',
  VERSION_CONFLICT:
    'Somebody else published meanwhile. Make your change for the live version, then call again with its number as `expectedVersion`.',
  UPLOAD_INCOMPLETE: 'Call get_project until its status is no longer `uploading`, then call again.',
  SLUG_TAKEN: 'Choose another `slug`, or leave it out of publish_site to get one.',
  IDEMPOTENCY_CONFLICT: null,
  FORBIDDEN: null,
  NOT_FOUND: 'Call list_projects to see the projects and their ids.',
  NOT_PUBLIC: null,
  FORMAT_NOT_OFFERED: null,
  METHOD_NOT_ALLOWED: 'Send JSON-RPC with POST.',
  UNSUPPORTED_MEDIA_TYPE: 'Send JSON-RPC with `Content-Type: application/json`.',
  RATE_LIMITED: 'Wait `retryAfterSeconds`, then call again.',
  UPLOAD_FAILED:
    'Call the tool again. What was stored of this upload is not visible and is removed by itself. If it goes on, tell the user `requestId`.',
  INTERNAL:
    'See with list_projects or get_project whether it was done, and call again in a minute if not. If it goes on, tell the user `requestId`.',
  UNAVAILABLE: null,
  TIMEOUT: null,
};
