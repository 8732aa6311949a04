import { keyByDevice } from './device-login.ts';
import { credentials, saveKey } from './credentials.ts';
import type { Options } from './options.ts';
import { connect } from './service.ts';
import { requireKey, type Session } from './session.ts';
import { lineOf } from './terminal.ts';

/** `login`: in the browser, which may be on another computer, or with a key from standard input. */
export async function login(
  session: Session,
  _: readonly string[],
  { key: fromInput }: Options,
): Promise<void> {
  const { context, service } = session;
  const key = fromInput === true ? await lineOf(context.stdin) : await keyByDevice(session);
  const { email, plan } = await connect(context, service.url, key).call('getSession', {});
  await saveKey(context, service.url, { key, email });
  session.say(`The key is in ${credentials(context).file}.`);
  session.answer({ email, plan, url: service.url }, [`Signed in as ${email} at ${service.url}.`]);
}

/** `logout`: forgets the key on this computer. */
export async function logout(session: Session): Promise<void> {
  await saveKey(session.context, session.service.url, undefined);
  session.answer({ url: session.service.url }, [
    `The key for ${session.service.url} is forgotten here. It ends where you made it: ${session.service.url}/dashboard/keys`,
  ]);
}

/** `whoami`: whose key it is, and until when it works. */
export async function whoami(session: Session): Promise<void> {
  requireKey(session);
  const answer = await session.service.call('getSession', {});
  session.answer({ ...answer, url: session.service.url }, [
    `${answer.email} at ${session.service.url}, plan ${answer.plan}`,
  ]);
}
