import { randomInt } from 'node:crypto';
import * as z from 'zod';

/** `GenerateSecretString` of an `AWS::SecretsManager::Secret`. */
export const GenerateSecretString = z.strictObject({
  PasswordLength: z.int().min(1).max(4096).default(32),
  ExcludePunctuation: z.boolean().default(false),
  ExcludeCharacters: z.string().default(''),
  ExcludeLowercase: z.boolean().default(false),
  ExcludeUppercase: z.boolean().default(false),
  ExcludeNumbers: z.boolean().default(false),
  IncludeSpace: z.boolean().default(false),
  RequireEachIncludedType: z.boolean().default(true),
  SecretStringTemplate: z.string().optional(),
  GenerateStringKey: z.string().optional(),
});
type GenerateSecretString = z.infer<typeof GenerateSecretString>;

function alphabets(options: GenerateSecretString): string[] {
  const groups: [boolean, string][] = [
    [options.ExcludeLowercase, 'abcdefghijklmnopqrstuvwxyz'],
    [options.ExcludeUppercase, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
    [options.ExcludeNumbers, '0123456789'],
    [options.ExcludePunctuation, '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
    [!options.IncludeSpace, ' '],
  ];
  return groups
    .filter(([excluded]) => !excluded)
    .map(([, letters]) =>
      letters
        .split('')
        .filter((one) => !options.ExcludeCharacters.includes(one))
        .join(''),
    )
    .filter((letters) => letters !== '');
}

function pick(letters: string): string {
  return letters.charAt(randomInt(letters.length));
}

function password(options: GenerateSecretString): string {
  const groups = alphabets(options);
  const all = groups.join('');
  for (;;) {
    const text = Array.from({ length: options.PasswordLength }, () => pick(all)).join('');
    const hasEach = groups.every((letters) => letters.split('').some((one) => text.includes(one)));
    if (hasEach || !options.RequireEachIncludedType || text.length < groups.length) return text;
  }
}

/** Generates a secret: the password alone, or inside the JSON template under its key. */
export function generateSecret(options: GenerateSecretString): string {
  const { SecretStringTemplate, GenerateStringKey } = options;
  if (SecretStringTemplate === undefined || GenerateStringKey === undefined)
    return password(options);
  const template = z.record(z.string(), z.unknown()).parse(JSON.parse(SecretStringTemplate));
  return JSON.stringify({ ...template, [GenerateStringKey]: password(options) });
}
