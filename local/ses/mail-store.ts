import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** One e-mail that was sent. */
export const Mail = z.object({
  id: z.string(),
  sentAt: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** By their names in lowercase. */
  headers: z.record(z.string(), z.string()).default({}),
});
export type Mail = z.infer<typeof Mail>;

/** Stores e-mails as files. */
export type MailStore = ReturnType<typeof mailStore>;

/** `Ann <a@example.com>` is `a@example.com`. */
export function bareAddress(address: string): string {
  return (/<([^<>]*)>\s*$/.exec(address)?.[1] ?? address).trim().toLowerCase();
}

/** A mail store in a directory, which nobody else writes to. A list for one address reads only its mails. */
export function mailStore(dir: string) {
  mkdirSync(dir, { recursive: true });
  const read = (name: string) => Mail.parse(JSON.parse(readFileSync(join(dir, name), 'utf8')));
  /** Names of files, in the order in which they were found or added. */
  const names = new Set<string>();
  const namesByAddress = new Map<string, Set<string>>();
  const enter = (name: string, { to }: Mail) => {
    names.add(name);
    for (const address of to.map(bareAddress)) {
      namesByAddress.set(address, (namesByAddress.get(address) ?? new Set()).add(name));
    }
  };
  for (const name of readdirSync(dir)) if (name.endsWith('.json')) enter(name, read(name));
  return {
    add(mail: Mail) {
      const name = `${mail.sentAt.replaceAll(/[:.]/g, '-')}-${mail.id}.json`;
      writeFileSync(join(dir, name), JSON.stringify(mail, undefined, 2), { mode: 0o600 });
      enter(name, mail);
    },
    /** Newest first; with `to`, only those to this address. */
    list(to?: string) {
      const listed = to === undefined ? names : (namesByAddress.get(bareAddress(to)) ?? []);
      return [...listed].toSorted((a, b) => b.localeCompare(a)).map(read);
    },
  };
}
