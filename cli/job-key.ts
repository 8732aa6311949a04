import {
  oauthPaths,
  subjectTokenTypes,
  tokenExchangeGrant,
} from '../contract/oauth/oauth-paths.ts';
import { CommandError, exitCodes } from './command-error.ts';
import type { Context } from './context.ts';
import { connect } from './service.ts';

type JobContext = Pick<Context, 'env' | 'operations' | 'signal'>;

/**
 * A key of ten minutes for a job at GitHub or GitLab, by the trusted publisher that `SLIPWAY_PUBLISHER` names: the
 * job's own token is exchanged for it (RFC 8693). Undefined where no publisher is named.
 *
 * A token works once. Where the answer to it was lost, GitHub gives another token; GitLab gives one for each job.
 * @throws CommandError where the job has no token, or the installation does not accept it
 */
export async function jobKey(context: JobContext, url: string): Promise<string | undefined> {
  const { SLIPWAY_PUBLISHER: publisher, SLIPWAY_ID_TOKEN: own } = context.env;
  if (!publisher) return undefined;
  const exchange = async () =>
    connect(context, url, undefined).form<{ access_token: string }>(oauthPaths.token, {
      grant_type: tokenExchangeGrant,
      client_id: publisher,
      subject_token: own || (await githubToken(context, url)),
      subject_token_type: subjectTokenTypes[0],
    });
  let answer = await exchange();
  if (!own && !answer.ok && answer.body.reason === usedToken) answer = await exchange();
  if (answer.ok) return answer.body.access_token;
  const { error, error_description = 'The job got no key.', reason } = answer.body;
  throw new CommandError(exitCodes.signedOut, error_description, {
    code: reason ?? error,
    next:
      reason === usedToken
        ? 'Run the job again: it gets a new token. A job that runs the command twice needs two tokens.'
        : `Compare the job with the trusted publisher: ${url}/dashboard/keys`,
  });
}

const usedToken = 'token_used';

/** The token that GitHub signs for this job and this installation; each call gets another one. */
async function githubToken({ env, signal }: JobContext, url: string): Promise<string> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret } = env;
  if (!address || !secret) {
    throw new CommandError(exitCodes.signedOut, 'This job has no token of GitHub or GitLab.', {
      next: `At GitHub, give it the permission "id-token: write", which pull requests of forks never have. At GitLab, give it the token SLIPWAY_ID_TOKEN under "id_tokens", with "aud: ${url}".`,
    });
  }
  const request = new URL(address);
  request.searchParams.set('audience', url);
  const headers = { authorization: `Bearer ${secret}` };
  const response = await fetch(request, { headers, signal }).catch(() => undefined);
  if (response?.ok === true) {
    const { value }: { value: string } = JSON.parse(await response.text());
    return value;
  }
  throw new CommandError(exitCodes.network, 'GitHub gave this job no token.', {
    next: 'Run the job again.',
  });
}
