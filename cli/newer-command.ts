import type { Session } from './session.ts';

/**
 * Tells a person when the installation has another version of this command. npm keeps what it once fetched from an
 * address, so `npx` would run the old one for ever; another address is fetched anew.
 */
export async function adviseNewerCommand(session: Session): Promise<void> {
  const { context, service, say } = session;
  if (context.stderr.isTTY !== true || service.url !== context.home) return;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(1500)]);
  const address = `${service.url}/cli.tgz`;
  const version = await fetch(address, { method: 'HEAD', signal }).then(
    ({ headers }) => /^"(.+)"$/.exec(headers.get('etag') ?? '')?.[1],
    () => undefined,
  );
  if (version === undefined || version === context.version) return;
  say(`There is a newer command: npm install --global ${address}, or npx '${address}?${version}'`);
}
