import { isRecord, mapStrings, StartError } from '../errors.ts';

const SECRET =
  /\{\{resolve:secretsmanager:(arn:[^:]*:[^:]*:[^:]*:[^:]*:secret:[^:}]+|[^:}]+)(?::SecretString(?::([^:}]*))?(?::([^:}]*))?(?::([^:}]*))?)?\}\}/g;

function secretField(secret: string, name: string, id: string): string {
  const parsed: unknown = JSON.parse(secret);
  const value = isRecord(parsed) ? parsed[name] : undefined;
  if (typeof value === 'string') return value;
  throw new StartError(`Secret ${id} has no text field ${name}.`);
}

/**
 * Replaces `{{resolve:secretsmanager:…}}` in every string of a value, as CloudFormation does before
 * it passes a property to a service. Any other dynamic reference throws.
 */
export function resolveSecrets(
  value: unknown,
  secret: (id: string, stage?: string) => string,
): unknown {
  return mapStrings(value, (text) => {
    const resolved = text.replace(SECRET, (_, ...groups: unknown[]) => {
      const [id = '', name = '', stage = '', version = ''] = groups
        .slice(0, 4)
        .map((group) => (typeof group === 'string' ? group : ''));
      // Functions accept the previous value too, but it ends with the next rotation.
      if (version !== '' || stage === 'AWSPREVIOUS') {
        throw new StartError(`Only the current version of secret ${id} can be referenced.`);
      }
      const found = secret(id, stage === '' ? undefined : stage);
      return name === '' ? found : secretField(found, name, id);
    });
    const rest = /\{\{resolve:[^}]*\}\}/.exec(resolved);
    if (rest !== null) throw new StartError(`The local cloud cannot resolve ${rest[0]}.`);
    return resolved;
  });
}
