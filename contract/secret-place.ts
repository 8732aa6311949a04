/** What secrets are for. Each function may read those of its purposes only. */
export const secretPurposes = ['access', 'code', 'origin', 'api'] as const;
export type SecretPurpose = (typeof secretPurposes)[number];

/** Staging labels of Secrets Manager, by which one value of a secret is read. */
export interface SecretLabels {
  current: string;
  previous: string;
  next: string;
}

/**
 * The labels of one purpose in the secret that all purposes share. They are twelve in all; a secret
 * may have 20 (Secrets Manager quota).
 */
export function labelsOf(purpose: SecretPurpose): SecretLabels {
  return {
    current: `${purpose}-current`,
    previous: `${purpose}-previous`,
    next: `${purpose}-next`,
  };
}

/** The location of the values of one purpose. */
export interface SecretPlace {
  arn: string;
  labels: SecretLabels;
}

/** A place as text; the inverse of {@link parseSecretPlace}. */
export function secretPlace(arn: string, purpose: SecretPurpose): string {
  return `${arn}#${purpose}`;
}

/**
 * Reads `<arn>#<purpose>`. An ARN alone is not enough: the value with the label AWSCURRENT belongs
 * to no purpose.
 * @throws Error that lists the purposes
 */
export function parseSecretPlace(text: string): SecretPlace {
  const [arn = '', name] = text.split('#');
  if (name === undefined) {
    throw new Error(
      `Several purposes share the secret ${arn}. Add which: ${arn}#access, #code or #origin.`,
    );
  }
  const purpose = secretPurposes.find((one) => one === name);
  if (purpose === undefined) {
    throw new Error(
      `A secret has no values for "${name}". Use one of ${secretPurposes.join(', ')}.`,
    );
  }
  return { arn, labels: labelsOf(purpose) };
}
