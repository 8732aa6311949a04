import { randomInt } from 'node:crypto';
import * as z from 'zod';

/** `GenerateSecretString` of an `AWS::SecretsManager::Secret`. */
export const GenerateSecretString = z.strictObject({
  PasswordLength: z.int().min(1).max(4096).default(32),
  ExcludePunctuation: z.boolean().default(false),
});
type GenerateSecretString = z.infer<typeof GenerateSecretString>;

const GROUPS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** Generates a secret, with at least one character of each group that fits. */
export function generateSecret(options: GenerateSecretString): string {
  const groups = options.ExcludePunctuation ? GROUPS : [...GROUPS, PUNCTUATION];
  const all = groups.join('');
  for (;;) {
    const pick = () => all.charAt(randomInt(all.length));
    const text = Array.from({ length: options.PasswordLength }, pick).join('');
    const hasEach = groups.every((letters) => letters.split('').some((one) => text.includes(one)));
    if (hasEach || text.length < groups.length) return text;
  }
}
