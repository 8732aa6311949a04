import { setTimeout as sleep } from 'node:timers/promises';
import { commandClientId, deviceGrant, oauthPaths } from '../contract/oauth/oauth-paths.ts';
import { CommandError, exitCodes } from './command-error.ts';
import type { FormAnswer } from './service.ts';
import type { Session } from './session.ts';
import { openInBrowser } from './terminal.ts';

/** RFC 8628 §3.2: what the terminal shows, and how often the command asks (seconds). */
interface DeviceCode {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  interval: number;
}

/**
 * Shows a code, waits until somebody allows it in a browser, and returns the key (RFC 8628).
 * @throws CommandError where it was denied, or nobody decided in time
 */
export async function keyByDevice(session: Session): Promise<string> {
  const { context, service, progress } = session;
  const begun = await service.form<DeviceCode>(oauthPaths.deviceAuthorization, {
    client_id: commandClientId,
  });
  if (!begun.ok) throw refused(begun.body);
  const device = begun.body;
  session.say(`Open ${device.verification_uri} and enter this code: ${device.user_code}`);
  session.say(`Or open ${device.verification_uri_complete} and compare it.`);
  if (context.stderr.isTTY === true) {
    await openInBrowser(context, device.verification_uri_complete);
  }
  progress.show('Waiting for the browser');
  const form = {
    client_id: commandClientId,
    grant_type: deviceGrant,
    device_code: device.device_code,
  };
  for (let seconds = device.interval; ; ) {
    await sleep(seconds * 1000, undefined, { signal: context.signal });
    const { ok, body } = await service.form<{ access_token: string }>(oauthPaths.token, form);
    if (ok) return body.access_token;
    if (body.error === 'slow_down') seconds += 5;
    else if (body.error !== 'authorization_pending') throw refused(body);
  }
}

const reasons: Readonly<Record<string, string>> = {
  access_denied: 'The sign-in was not allowed.',
  expired_token: 'Nobody allowed the sign-in in time.',
};

function refused({
  error,
  error_description,
}: Extract<FormAnswer<never>, { ok: false }>['body']): CommandError {
  const message = reasons[error ?? ''] ?? error_description ?? 'The sign-in failed.';
  return new CommandError(exitCodes.signedOut, message, { next: 'Run: slipway login' });
}
